import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { app, dialog, type BrowserWindow } from 'electron'
import { err, ok, type Result } from '../bridge/result.ts'

/**
 * Asks where to save, and writes `text` there. Only this user can read the file, even if it replaces another one. ok(false): the user
 * cancelled.
 */
export async function saveFile(window: BrowserWindow, name: string, text: string): Promise<Result<boolean, string>> {
  const asked = await dialog.showSaveDialog(window, { defaultPath: join(app.getPath('downloads'), basename(name)) })
  if (asked.canceled || asked.filePath === '') return ok(false)
  // A name that others who share the folder can't guess and create first.
  const temporary = join(dirname(asked.filePath), `.${randomUUID()}.part`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text, 'utf8')
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, asked.filePath)
    return ok(true)
  } catch (error) {
    await rm(temporary, { force: true })
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return err(`The file couldn’t be written (${code}). Choose another folder, then try again.`)
  }
}
