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
  #keep: (theme: Theme) => void = () => undefined

  constructor() {
    show(this.#current)
  }

  get current(): Theme {
    return this.#current
  }

  /** Shows `theme` now and at every later start. */
  set current(theme: Theme) {
    this.adopt(theme)
    this.#keep(theme)
  }

  /** Applies the theme of the settings. The window's own copy is for its first paint, before they are read. */
  adopt(theme: Theme): void {
    this.#current = theme
    localStorage.setItem(storageKey, theme)
    show(theme)
  }

  /** Says where a choice made in this window is kept. */
  keepIn(keep: (theme: Theme) => void): void {
    this.#keep = keep
  }
}

/** The colour theme of this window. */
export const theme = new ThemeChoice()
