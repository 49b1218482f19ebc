import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import type { Bridge } from '../bridge/bridge.ts'
import type { Push } from '../bridge/contract.ts'

const { subtle } = crypto
const agreement = { name: 'ECDH', namedCurve: 'P-256' }
const ivLength = 12

/** Agrees on a key for this page with the main process: see `createSealedChannel`. */
async function agreeOnKey(): Promise<CryptoKey> {
  const { publicKey, privateKey } = await subtle.generateKey(agreement, false, ['deriveKey'])
  const hello = new Uint8Array(await subtle.exportKey('raw', publicKey))
  const answer = (await ipcRenderer.invoke('bridge:hello', hello)) as Uint8Array<ArrayBuffer>
  const theirs = await subtle.importKey('raw', answer, agreement, false, [])
  return subtle.deriveKey({ name: 'ECDH', public: theirs }, privateKey, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

/** Only at the first call: a page that is not ours loads this script too, and would be refused. */
let agreed: Promise<CryptoKey> | null = null

async function seal(message: unknown): Promise<Uint8Array> {
  const key = await (agreed ??= agreeOnKey())
  const iv = crypto.getRandomValues(new Uint8Array(ivLength))
  const sealed = await subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(JSON.stringify(message)))
  const bytes = new Uint8Array(ivLength + sealed.byteLength)
  bytes.set(iv)
  bytes.set(new Uint8Array(sealed), ivLength)
  return bytes
}

async function open(sealed: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const key = await (agreed ??= agreeOnKey())
  const plain = await subtle.decrypt({ name: 'AES-GCM', iv: sealed.subarray(0, ivLength) }, key, sealed.subarray(ivLength))
  return JSON.parse(new TextDecoder().decode(plain))
}

/** Handles one message after the other: a short message must not overtake a long one. */
function inOrder() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.then(
      () => {},
      () => {},
    )
    return done
  }
}

const [outgoing, incoming] = [inOrder(), inOrder()]

async function call(kind: 'query' | 'command', name: string, args: unknown): Promise<never> {
  const sealed = await outgoing(() => seal({ kind, name, args }))
  const answer = (await ipcRenderer.invoke('bridge:call', sealed)) as Uint8Array<ArrayBuffer>
  return (await incoming(() => open(answer))) as never
}

// Nothing is checked here: the main process checks names and args, and answers in the contract's shapes.
const bridge: Bridge = {
  query: (name, args) => call('query', name, args),
  command: (name, args) => call('command', name, args),
  onPush: (listener) => {
    // The page must not get the event: its `sender` leads to raw IPC.
    const hear = (_event: IpcRendererEvent, push: Push) => listener(push)
    ipcRenderer.on('bridge:push', hear)
    return () => void ipcRenderer.off('bridge:push', hear)
  },
}

contextBridge.exposeInMainWorld('holdfast', bridge)
