import { loadHost, root } from './load-host.ts'
import { openBrowser } from './open-browser.ts'
import { overwriteFreedMemory } from './overwrite-freed-memory.ts'
import { readHostArgs } from './read-host-args.ts'
import { stopOnSignals } from './stop-on-signals.ts'

overwriteFreedMemory()
const args = readHostArgs(process.argv.slice(2))
if (!args.ok) {
  console.error(args.error)
  process.exit(2)
}

let opened = !args.value.open
const announce = (url: string) => {
  console.log(JSON.stringify({ url }))
  if (!opened) openBrowser(url, process.platform, process.env)
  opened = true
}
const loaded = await loadHost()
const host = loaded.ok ? await loaded.value.runHost({ ...args.value, root, announce }) : loaded
if (host.ok) stopOnSignals(host.value.close)
else {
  console.error(host.error)
  process.exit(1)
}
