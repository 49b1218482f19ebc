import { caretPoint } from './caret-point.ts'
import { pastedText } from './pasted-text.ts'

/** Pasted text longer than this many characters is put in by hand. */
const longPaste = 2000

/**
 * Attach to a text area. Chromium's own paste of many lines takes time quadratic in their number (10,000 lines: minutes);
 * setting the range takes none. A long paste cannot be undone by Ctrl Z, a short one is left to the browser.
 */
export const fastPaste = (area: HTMLTextAreaElement): (() => void) => {
  const paste = (event: ClipboardEvent) => {
    const text = pastedText(event)
    if (event.defaultPrevented || text.length <= longPaste) return
    event.preventDefault()
    area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end')
    area.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertFromPaste' }))
    // As after a paste by the browser, the caret is in view.
    const { top, height } = caretPoint(area, area.selectionEnd)
    if (top < area.scrollTop || top + height > area.scrollTop + area.clientHeight) area.scrollTop = top + 2 * height - area.clientHeight
  }
  area.addEventListener('paste', paste)
  return () => area.removeEventListener('paste', paste)
}
