import { untrack } from 'svelte'
import type { Result } from '../../electron/bridge/result.ts'
import { toastTimes } from '../domain/toast-times.ts'

export interface Toast {
  id: number
  tone: 'plain' | 'good' | 'bad'
  text: string
  /** An action on it, such as Undo. */
  action: ToastAction | null
}

export interface ToastAction {
  name: string
  run: () => void
  /** Of an action that takes one step of undo: which one. */
  step?: string
}

class Toasts {
  list = $state.raw<readonly Toast[]>([])
  #buttons = $state(0)
  #editors = $state(0)
  #nextId = 1

  /** Shows `text` for a few seconds. */
  say(text: string, tone: Toast['tone'] = 'plain', action: ToastAction | null = null): void {
    const id = this.#nextId++
    // One at a time: the next message replaces it. Only a failure stays above it for its time, because it must be read.
    this.list = [...this.list.filter((toast) => toast.tone === 'bad' && toast.text !== text).slice(-2), { id, tone, text, action }]
    setTimeout(() => this.dismiss(id), action === null ? toastTimes[tone] : toastTimes.bad)
  }

  /** Says why a command failed, if it did. */
  sayFailure(result: Result<unknown>): void {
    if (!result.ok) this.say(result.error.message, 'bad')
  }

  dismiss(id: number): void {
    this.list = this.list.filter((toast) => toast.id !== id)
  }

  /** Dismisses the toast that offers an action that the user has taken in another way. */
  dismissAction(action: ToastAction): void {
    this.list = this.list.filter((toast) => toast.action !== action)
  }

  /** A step of undo is offered. */
  get offersStep(): boolean {
    return this.list.some(({ action }) => action?.step !== undefined)
  }

  /** Takes away the actions whose step of undo is none of these: later edits came over it. */
  keepSteps(steps: readonly string[]): void {
    const isOver = ({ action }: Toast) => action?.step !== undefined && !steps.includes(action.step)
    if (this.list.some(isOver)) this.list = this.list.map((toast) => (isOver(toast) ? { ...toast, action: null } : toast))
  }

  /** Whether an editor is open that many toasts, or a long one, would cover. */
  get isTight(): boolean {
    return this.#editors > 0
  }

  /** Toasts go above the line at the foot of the window, which has buttons on it. An editor can be open there: then they stay. */
  get isRaised(): boolean {
    return this.#buttons > 0 && !this.isTight
  }

  // The elements report themselves: a style that searches the document for them would cost at every change of a row.
  /** Attach it to buttons on the line at the foot of the window. */
  readonly aboveButtons = (): (() => void) => {
    untrack(() => (this.#buttons += 1))
    return () => (this.#buttons -= 1)
  }

  /** Attach it to an editor in a table. */
  readonly besideEditor = (): (() => void) => {
    untrack(() => (this.#editors += 1))
    return () => (this.#editors -= 1)
  }
}

/** The window's toasts. */
export const toasts = new Toasts()
