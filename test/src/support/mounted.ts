import { flushSync, mount, unmount, type Component } from 'svelte'
import { onTestFinished } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { commands } from '../../../src/lib/commands.svelte.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'
import WithBridge from './WithBridge.svelte'

// happy-dom has no top layer.
HTMLElement.prototype.showPopover ??= () => {}

/** Mounts `component` with `props` into the document until the test is over. */
export const mounted = <Props extends Record<string, unknown>>(
  component: Component<Props>,
  props: Props,
  bridge: Bridge = noBridge,
): HTMLElement => {
  const target = document.createElement('div')
  document.body.append(target)
  const app = mount(WithBridge, { target, props: { bridge, component, props } as never })
  flushSync()
  onTestFinished(async () => {
    await unmount(app)
    target.remove()
    // What it said in passing is no other test's.
    for (const toast of toasts.list) toasts.dismiss(toast.id)
  })
  return target
}

const noBridge: Bridge = {
  query: () => Promise.reject(new Error('no query is expected')),
  command: () => Promise.reject(new Error('no command is expected')),
  onPush: () => () => {},
}

/** The one element below `root` with this accessible label. */
export const labelled = (root: ParentNode, label: string): HTMLElement => {
  const found = [...root.querySelectorAll<HTMLElement>('[aria-label]')].filter((element) => element.getAttribute('aria-label') === label)
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} elements are labelled “${label}”`)
  return found[0]
}

/** The one text field below `root` with this accessible label. */
export const fieldOf = (root: ParentNode, label: string): HTMLInputElement | HTMLTextAreaElement => {
  const found = labelled(root, label)
  if (found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement) return found
  throw new Error(`what is labelled “${label}” is no text field`)
}

/** The one text field below `root` with this visible label. */
export const namedField = (root: ParentNode, label: string): HTMLInputElement => {
  const found = [...root.querySelectorAll('label')].find(({ textContent }) => textContent?.trim() === label)
  const field = root.querySelector<HTMLInputElement>(`[id="${found?.htmlFor}"]`)
  if (field === null) throw new Error(`no field is labelled “${label}”`)
  return field
}

/** Types `text` over what a field holds. */
export const type = (field: HTMLInputElement | HTMLTextAreaElement, text: string): void => {
  field.value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
  flushSync()
}

/** Presses a key in an element. */
export const press = (element: HTMLElement, key: string, held: KeyboardEventInit = {}): void => {
  element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held }))
  flushSync()
}

/** Lets answers arrive and the screen follow. */
export const settled = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, 0))
  flushSync()
}

/** Presses a key that nothing in the window has the focus for; commands are run by it until the test is over. */
export const pressKey = (key: string): void => {
  const listen = (event: KeyboardEvent) => commands.press(event)
  window.addEventListener('keydown', listen)
  onTestFinished(() => window.removeEventListener('keydown', listen))
  press(document.body, key)
}
