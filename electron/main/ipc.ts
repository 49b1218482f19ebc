import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent } from 'electron'
import type { Application } from '../bridge/bridge.ts'
import type { AppDeps } from '../app/app-deps.ts'
import { answerCall, callSchema } from '../shell/answer-call.ts'
import { originOf } from './page-address.ts'
import { createSealedChannel, type SealedChannel } from './sealed-channel.ts'

/**
 * Connects the page and the application. Answers `bridge:hello`, the first message of a page, and its sealed `bridge:call`s. Sends
 * `bridge:push`, which contains no value. Answers only the top frame of `window()` at `origin`. Throws for any other sender, and for a
 * malformed call.
 */
export function connectIpc(application: Application, window: () => BrowserWindow | null, origin: string, log: AppDeps['log']): void {
  let channel: SealedChannel | null = null
  const refuse = (): never => {
    log('warn', 'refused a message that the page did not send')
    throw new Error('refused')
  }
  ipcMain.handle('bridge:hello', (event, pageKey: unknown) => {
    const isHello = isOurPage(event, window(), origin) && pageKey instanceof Uint8Array
    channel = (isHello ? createSealedChannel(pageKey) : null) ?? refuse()
    return channel.publicKey
  })
  ipcMain.handle('bridge:call', async (event, sealed: unknown) => {
    const used = channel
    if (used === null || !isOurPage(event, window(), origin) || !(sealed instanceof Uint8Array)) return refuse()
    const call = callSchema.safeParse(used.open(sealed))
    if (!call.success) return refuse()
    return used.seal(await answerCall(application, call.data, log))
  })
  application.onPush((push) => window()?.webContents.send('bridge:push', push))
}

function isOurPage(event: IpcMainInvokeEvent, window: BrowserWindow | null, origin: string): boolean {
  const frame = event.senderFrame
  return window !== null && frame !== null && frame === window.webContents.mainFrame && originOf(frame.url) === origin
}
