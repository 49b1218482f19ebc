// Older Electrons do not export ClipboardItem, and an import by that name would end them.
// oxlint-disable-next-line no-restricted-imports
import electron, { clipboard } from 'electron'
import type { ClipboardPort } from '../app/app-deps.ts'
import { confidentialItem } from './confidential-item.ts'

/** The clipboard of the computer. Older Electrons answer at once, newer ones with a promise. */
export const systemClipboard: ClipboardPort = {
  readText: async () => clipboard.readText(),
  clear: () => clipboard.clear(),
  async writeConfidential(text) {
    const { ClipboardItem: Item } = electron as { ClipboardItem?: typeof electron.ClipboardItem }
    // Older Electrons write one format at a time, and each format removes the text again.
    if (Item === undefined) return false
    await clipboard.write([new Item(confidentialItem(process.platform, text))])
    return true
  },
}
