import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import type { Bridge } from '../bridge/bridge.ts'
import type { Push } from '../bridge/contract.ts'

// The main process checks names and args and answers in the contract's shapes; nothing is decided here.
const bridge: Bridge = {
  query: (name, args) => ipcRenderer.invoke('bridge:query', name, args) as Promise<never>,
  command: (name, args) => ipcRenderer.invoke('bridge:command', name, args) as Promise<never>,
  onPush: (listener) => {
    // The event carries `sender`, a way to raw IPC: it stays on this side.
    const hear = (_event: IpcRendererEvent, push: Push) => listener(push)
    ipcRenderer.on('bridge:push', hear)
    return () => void ipcRenderer.off('bridge:push', hear)
  },
}

contextBridge.exposeInMainWorld('holdfast', bridge)
