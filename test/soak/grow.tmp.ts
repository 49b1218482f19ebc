import { spawn } from 'node:child_process'
import { mkdtempSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createDice } from './dice.ts'
import { createHonestUser } from './honest-user.ts'
import { hostAttacks } from './attack-host.ts'
import { openTab, startService } from './children.ts'
const folder = mkdtempSync('/tmp/l9/grow-')
for (const d of ['service', 'host']) mkdirSync(path.join(folder, d))
const service = await startService(path.join(folder, 'service'))
const child = spawn(process.execPath, ['--inspect=0', 'electron/host/main.ts', '--port', '0', '--data-dir', path.join(folder, 'host'), '--no-open'], { env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:' }, stdio: ['pipe', 'pipe', 'pipe'] })
let out = '', err = ''
child.stdout.on('data', (c) => (out += c)); child.stderr.on('data', (c) => (err += c))
while (!out.includes('\n') || !err.includes('ws://')) await new Promise((r) => setTimeout(r, 200))
console.log(out, err);
await new Promise((r) => setTimeout(r, 3000))
const url = JSON.parse(out.split('\n')[0] ?? '').url
const ws = new WebSocket([...err.matchAll(/ws:\/\/\S+/g)].at(-1)?.[0] ?? '')
await new Promise((r) => ws.addEventListener('open', r))
let n = 0
const send = (method: string, params = {}) => new Promise<any>((resolve) => { const id = ++n; const f = (e: MessageEvent) => { const m = JSON.parse(e.data); if (m.id === id) { ws.removeEventListener('message', f); resolve(m.result) } }; ws.addEventListener('message', f); ws.send(JSON.stringify({ id, method, params })) })
console.log('ws open');
const bridge = await openTab(url)
console.log('tab');
const user = await createHonestUser(bridge, createDice(7), { baseUrl: service.said.url, apiKey: service.said.apiKey, sentinel: 'sentinel-abc' })
console.log('user');
const end = Date.now() + Number(process.argv[2]) * 1000
let deeds = 0, next = 0
const hostUrl = new URL(url).origin
const dice = createDice(99)
if (process.argv.includes('attack')) for (const k of [1,2,3]) void (async () => { while (Date.now() < end) { const name = dice.pick(Object.keys(hostAttacks)) as keyof typeof hostAttacks; if (process.argv[4] && !process.argv[4].split(',').includes(name)) continue; await (hostAttacks[name] as any)(dice, hostUrl).catch(() => '') } })()

while (Date.now() < end) {
  await user.act(); deeds++
  if (Date.now() > next) {
    next = Date.now() + 20000
    await send('HeapProfiler.collectGarbage')
    const m = (await send('Runtime.evaluate', { expression: 'JSON.stringify(process.memoryUsage())', returnByValue: true })).result.value
    const u = JSON.parse(m)
    console.log(deeds, Object.entries(u).map(([k, v]) => `${k} ${Math.round(Number(v) / 1048576)}`).join(' '), readFileSync(`/proc/${child.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)?.[1])
  }
}
child.kill(); await service.stop(); process.exit(0)
