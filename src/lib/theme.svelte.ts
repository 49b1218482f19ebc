export type Theme = 'system' | 'light' | 'dark'

const storageKey = 'holdfast.theme'

const isTheme = (text: string | null): text is Theme => text === 'system' || text === 'light' || text === 'dark'

const read = (): Theme => {
  const kept = localStorage.getItem(storageKey)
  return isTheme(kept) ? kept : 'system'
}

const show = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}

class ThemeChoice {
  #current = $state<Theme>(read())

  constructor() {
    show(this.#current)
  }

  get current(): Theme {
    return this.#current
  }

  /** Shows `theme` now and at every later start. */
  set current(theme: Theme) {
    this.#current = theme
    localStorage.setItem(storageKey, theme)
    show(theme)
  }
}

/** The colour theme of this window, kept across starts. */
export const theme = new ThemeChoice()
