export interface Toast {
  id: number
  tone: 'plain' | 'good' | 'bad'
  text: string
  /** What can still be done about it. */
  action: ToastAction | null
}

export interface ToastAction {
  name: string
  run: () => void
}

/** How long a toast stays, in milliseconds. One that tells of a failure stays longer: it must be read. */
const stay = { plain: 4000, good: 4000, bad: 9000 } as const

class Toasts {
  list = $state.raw<readonly Toast[]>([])
  #nextId = 1

  /** Says `text` beside what the user does, for a few seconds. */
  say(text: string, tone: Toast['tone'] = 'plain', action: ToastAction | null = null): void {
    const id = this.#nextId++
    // One at a time: what is said next takes its place. Only a failure stays above it for its time, because it must be read.
    this.list = [...this.list.filter((toast) => toast.tone === 'bad').slice(-2), { id, tone, text, action }]
    setTimeout(() => this.dismiss(id), action === null ? stay[tone] : stay.bad)
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id)
  }
}

/** What the window has to say in passing. */
export const toasts = new Toasts()
