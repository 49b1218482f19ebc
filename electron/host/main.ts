import { loadHost, root } from './load-host.ts'
import { openBrowser } from './open-browser.ts'
import { overwriteFreedMemory } from './overwrite-freed-memory.ts'
import { stopOnSignals } from './stop-on-signals.ts'
import { takeHostArgs } from './take-host-args.ts'

overwriteFreedMemory()
const args = takeHostArgs()

let opened = !args.open
const announce = (url: string) => {
  console.log(JSON.stringify({ url }))
  if (!opened) openBrowser(url, process.platform, process.env)
  opened = true
}
const loaded = await loadHost()
const host = loaded.ok ? await loaded.value.runHost({ ...args, root, announce }) : loaded
if (host.ok) stopOnSignals(host.value.close)
else {
  console.error(host.error)
  process.exit(1)
}
