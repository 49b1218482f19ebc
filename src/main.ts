import { mount } from 'svelte'
import type { Bridge } from '../electron/bridge/bridge.ts'
import App from './App.svelte'
import NotConnected from './features/not-connected/NotConnected.svelte'
import { bridgeAddress, createSocketBridge, type SocketBridge } from './lib/socket-bridge.ts'
import { loadLater } from './lib/load-later.ts'
import { pageId } from './lib/page-id.ts'
import { tellCommands } from './lib/own-commands.ts'
import { forgetSecret, takeSecret } from './lib/take-secret.ts'
import { toasts } from './lib/toasts.svelte.ts'
import './lib/theme.svelte.ts'
import './ui/fonts.css'
import './ui/tokens.css'
import './ui/base.css'

declare global {
  interface Window {
    /** Put there by Electron's preload. */
    holdfast?: Bridge
  }
}

const connect = (): { bridge: Bridge; socket: SocketBridge | null } | null => {
  if (window.holdfast !== undefined) return { bridge: tellCommands(window.holdfast), socket: null }
  const secret = takeSecret(document, location, history, sessionStorage)
  if (secret === null) return null
  const socket = createSocketBridge({ url: bridgeAddress(location), secret, page: pageId })
  socket.onState((state) => state === 'stranger' && forgetSecret(sessionStorage))
  return { bridge: tellCommands(socket), socket }
}

/**
 * Sets `--scrollbar` to the width that a scrollbar takes from a list: 0 for an overlay scrollbar. A header outside the scrolling part
 * leaves the same width free, so that its columns align with the rows.
 */
function measureScrollbar(): void {
  const probe = document.createElement('div')
  probe.style.cssText = 'position: absolute; width: 60px; height: 60px; overflow-y: scroll; visibility: hidden;'
  document.body.append(probe)
  document.documentElement.style.setProperty('--scrollbar', `${probe.offsetWidth - probe.clientWidth}px`)
  probe.remove()
}

const target = document.getElementById('app')
if (target === null) throw new Error('index.html has no #app')

measureScrollbar()
addEventListener('vite:preloadError', () => toasts.say('A part of this page couldn’t be loaded. Reload the page.', 'bad'))
const connection = connect()
if (connection === null) mount(NotConnected, { target })
else {
  mount(App, { target, props: connection })
  // The build keeps everything that opens later in one file but the code editor, which is as large as all of the rest
  // (electron.vite.config.ts).
  loadLater([() => import('./features/palette/Palette.svelte'), () => import('./ui/code-editor/code-view.ts')])
}
