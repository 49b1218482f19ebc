import type { Locator } from '@playwright/test'

/** Lets go of a file over an element, as a drag from the desktop ends. */
export async function dropFile(over: Locator, name: string, text: string): Promise<void> {
  await over.evaluate(
    (element, file) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([file.text], file.name))
      element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    },
    { name, text },
  )
}
