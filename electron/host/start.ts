import { constants } from 'node:os'
import { ensureBuilt } from './ensure-built.ts'
import { findElectron } from './find-electron.ts'
import { loadHost, root } from './load-host.ts'
import { openBrowser } from './open-browser.ts'
import { overwriteFreedMemory } from './overwrite-freed-memory.ts'
import type { HostArgs } from './read-host-args.ts'
import { runElectron } from './run-electron.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { takeHostArgs } from './take-host-args.ts'
import { whyElectronFailed, whyNoWindow } from './why-no-window.ts'

/** How long a download may take. A good connection needs less, and the terminal must say within 15 seconds what happens. */
const downloadMs = 8_000

overwriteFreedMemory()
const args = takeHostArgs()
const download = new AbortController()
const why = await openInWindow(args)
console.log(`Holdfast opens in your browser, because ${why}.`)
await openInBrowser(args)

/**
 * Runs Electron to its end, and ends this process in the same way. If Electron can't run, returns why: the end of a sentence after
 * "because".
 */
async function openInWindow({ dataDir, noSandbox }: HostArgs): Promise<string> {
  const against = whyNoWindow({ platform: process.platform, uid: process.getuid?.() ?? null, env: process.env, noSandbox })
  if (against !== null) return against
  const [electron, built] = await Promise.all([
    findElectron({ root, platform: process.platform, env: process.env, downloadMs, signal: download.signal, tell: console.log }),
    ensureBuilt(root),
  ])
  if (!electron.found) return electron.why
  if (!built.ok) fail(built.error)
  const electronArgs = [root, ...(dataDir === null ? [] : ['--data-dir', dataDir]), ...(noSandbox ? ['--no-sandbox'] : [])]
  const end = await runElectron(electron.executable, electronArgs, (text) => process.stderr.write(text))
  return whyElectronFailed(end) ?? process.exit(end.code ?? 128 + (constants.signals[end.signal as NodeJS.Signals] ?? 0))
}

async function openInBrowser({ port, dataDir, open }: HostArgs): Promise<void> {
  let opened = !open
  const announce = (url: string) => {
    console.log(`Open ${url}`)
    if (!opened) openBrowser(url, process.platform, process.env)
    opened = true
  }
  const loaded = await loadHost()
  const host = loaded.ok ? await loaded.value.runHost({ root, port, dataDir, announce }) : loaded
  if (!host.ok) fail(host.error)
  stopOnSignals(async () => {
    download.abort()
    await host.value.close()
  })
}

function fail(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}
