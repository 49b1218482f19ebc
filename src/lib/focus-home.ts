import { isCovered } from './is-covered.ts'

/**
 * Calls `home` when the element that had the focus has left the document and nothing else took the focus: else the next key would go nowhere.
 * Removing an element fires no event, so this watches changes of the document. Returns a function that ends it.
 */
export const focusHome = (home: () => void): (() => void) => {
  let last: Element | null = document.activeElement
  let frame = 0
  const onFocus = (event: FocusEvent) => {
    if (event.target instanceof Element) last = event.target
  }
  const check = () => {
    frame = 0
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (last === null || last === document.body || last.isConnected || !isLost || isCovered()) return
    last = null
    home()
  }
  const observer = new MutationObserver(() => {
    // After a frame: the code that removed it may move the focus itself.
    if (frame === 0 && last !== null && !last.isConnected) frame = requestAnimationFrame(() => (frame = requestAnimationFrame(check)))
  })
  document.addEventListener('focusin', onFocus)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', onFocus)
    observer.disconnect()
    cancelAnimationFrame(frame)
  }
}
