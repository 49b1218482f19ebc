import type { Locator } from '@playwright/test'

/** Pastes a text where the keyboard is in an element. */
export async function paste(into: Locator, text: string): Promise<void> {
  await into.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}
