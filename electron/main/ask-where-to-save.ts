import { basename, join } from 'node:path'
import { app, dialog, type BrowserWindow } from 'electron'

/** Asks where to save a file, proposing `name` in the downloads. Null: the user cancelled. */
export async function askWhereToSave(window: BrowserWindow, name: string): Promise<string | null> {
  const asked = await dialog.showSaveDialog(window, { defaultPath: join(app.getPath('downloads'), basename(name)) })
  return asked.canceled || asked.filePath === '' ? null : asked.filePath
}
