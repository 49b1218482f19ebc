import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import type { Application } from '../bridge/bridge.ts'
import type { AppDeps } from '../app/app-deps.ts'
import { answerCall, callSchema } from '../shell/answer-call.ts'
import { originOf } from './page-address.ts'

/**
 * Joins the page and the application: answers `bridge:query` and `bridge:command`, sends `bridge:push`.
 * Only the top frame of `window()` at `origin` is answered; any other sender, and a call that is none, is refused with a throw.
 */
export function connectIpc(application: Application, window: () => BrowserWindow | null, origin: string, log: AppDeps['log']): void {
  const answer = (kind: 'query' | 'command') => (event: IpcMainInvokeEvent, name: unknown, args: unknown) => {
    const call = callSchema.safeParse({ kind, name, args })
    if (!isOurPage(event, window(), origin) || !call.success) {
      log('warn', 'a message that is not of the page was refused')
      throw new Error('refused')
    }
    return answerCall(application, call.data, log)
  }
  ipcMain.handle('bridge:query', answer('query'))
  ipcMain.handle('bridge:command', answer('command'))
  application.onPush((push) => window()?.webContents.send('bridge:push', push))
}

function isOurPage(event: IpcMainInvokeEvent, window: BrowserWindow | null, origin: string): boolean {
  const frame = event.senderFrame
  return window !== null && frame !== null && frame === window.webContents.mainFrame && originOf(frame.url) === origin
}
