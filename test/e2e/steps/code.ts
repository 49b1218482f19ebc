import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'
import { paste } from './paste.ts'

/**
 * Puts `text` in place of all that a large editor holds, as a paste does: typed line by line it would be laid out and completed at
 * every one, and only the lines in view are in the document.
 */
export async function setCode(editor: Locator, text: string): Promise<void> {
  await expect(editor).toBeEditable()
  await editor.press('ControlOrMeta+a')
  await paste(editor, text)
}
