import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { scanFolder } from '../e2e/scan-folder.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { scanMemory } from '../support/scan-memory.ts'
import { hostAttacks } from './attack-host.ts'
import { serviceAttacks } from './attack-service.ts'
import { openTab, startHost, startService } from './children.ts'
import { createDice } from './dice.ts'
import type { Dice } from './dice.ts'
import { createHonestUser } from './honest-user.ts'
import { statusOf } from './raw-request.ts'
import { tampering } from './tamper.ts'
import { watchStalls } from './watch-stalls.ts'

/**
 * `node test/soak/main.ts [--minutes N] [--seed N]`: random attacks on a service, a browser host and the application in it, all on this computer,
 * while one user works. Exits with 1, and says what it was, when one of them ends, answers as it must not, loses an edit, grows by more than a
 * tenth, or leaves a plaintext in a file, its output or, after the last lock, its memory. The seed decides who does what; when is up to the computer.
 */

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string' } } })
const minutes = Number(values.minutes)
const seed = Number(values.seed ?? randomBytes(4).readUInt32BE())
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('Usage: node test/soak/main.ts [--minutes N] [--seed N]')
  process.exit(2)
}

const roundMs = 12_000
/** Everything rests before memory is read. */
const restMs = 3000
/** Shorter runs are still warming up. */
const judgedRounds = 20
const growthLimit = 1.1
/** Three seconds apart. */
const memoryTries = 10
/** Longer is a hang; how long it took is in the figures. */
const answerLimitMs = 90_000

const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-soak-'))
const [serviceDir, hostDir] = [path.join(folder, 'service'), path.join(folder, 'host')]
for (const dir of [serviceDir, hostDir]) mkdirSync(dir)
const sentinel = `sentinel-${randomBytes(8).toString('hex')}`

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
const part = (numbers: readonly number[], from: number, to: number) =>
  numbers.slice(Math.floor(numbers.length * from), Math.floor(numbers.length * to))

const service = await startService(serviceDir)
const host = await startHost(hostDir)
const proxy = await startFaultProxy(service.said.url)
const bridge = await openTab(host.said.url)
const stalls = watchStalls()
const target = service.said
const hostUrl = new URL(host.said.url).origin

const call = async (method: string, at: string, body?: object): Promise<number> => {
  const response = await fetch(`${target.url}${at}`, {
    method,
    headers: { authorization: `Bearer ${target.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  await response.arrayBuffer()
  return response.status
}
await call('POST', '/projects', { name: 'Soak', slug: 'soak' })
await call('POST', '/projects/soak/environments', { name: 'Attacked', slug: 'attacked' })
const user = await createHonestUser(bridge, createDice(seed), { baseUrl: proxy.url, apiKey: target.apiKey, sentinel, stalls })

const counts = new Map<string, number>()
const readMs: number[] = []
const failIfEnded = () => {
  for (const [name, child] of [
    ['service', service],
    ['host', host],
  ] as const) {
    const end = child.ended()
    if (end !== null) throw new Error(`The ${name} ended by itself (${end}). ${child.output().slice(-2000)}`)
  }
}

/** Runs `turn` again and again until `end`. */
const until = async (end: number, turn: () => Promise<void>): Promise<void> => {
  while (Date.now() < end) await turn()
}
const attackWith =
  <Target>(attacks: Readonly<Record<string, (dice: Dice, on: Target) => Promise<string>>>, dice: Dice, on: Target) =>
  async (): Promise<void> => {
    const name = dice.pick(Object.keys(attacks))
    const answer = (await attacks[name]?.(dice, on)) ?? ''
    counts.set(name, (counts.get(name) ?? 0) + 1)
    const status = statusOf(answer)
    if (status >= 500 && status !== 503) throw new Error(`"${name}" was answered with ${status}: ${answer.slice(0, 500)}`)
  }
const readOnce = async (): Promise<void> => {
  const begin = performance.now()
  const [status, answer] = await Promise.all([call('GET', '/projects/honest'), bridge.query('app.status', {})])
  const took = performance.now() - begin
  readMs.push(took)
  // The project of the honest user may not have arrived yet.
  if (status !== 200 && status !== 404) throw new Error(`a read was answered with ${status}`)
  if (!answer.ok) throw new Error(`the host answers: ${answer.error.message}`)
  if (took > answerLimitMs) throw new Error(`a read took ${Math.round(took)} ms`)
  await new Promise((resolve) => setTimeout(resolve, 250))
}
const findPlaintext = async (): Promise<void> => {
  const { found } = await scanFolder(folder, [...user.secrets, target.apiKey])
  if (found.length > 0) throw new Error(`Plaintext in ${found.join(', ')}`)
  // The first line of the service shows its key, for whoever started it.
  const outputs = [service.output().split('\n').slice(1).join('\n'), host.output()]
  for (const output of outputs)
    if ([...user.secrets, target.apiKey].some((secret) => output.includes(secret))) throw new Error('Plaintext in what a program printed')
  if (/unhandled rejection|uncaught exception|"level":60/.test(outputs.join('\n'))) throw new Error(outputs.join('\n').slice(-2000))
}

/** What the locked host still holds of what is secret, after some time to forget it. Linux alone. */
const heldInMemory = async (): Promise<string[]> => {
  const needles = { value: sentinel, 'workspace key': user.recoveryKey, 'workspace key as bytes': Buffer.from(user.recoveryKey, 'base64') }
  let held: string[] = []
  for (let tries = 0; tries < memoryTries; tries++) {
    held = Object.entries(scanMemory(host.pid, needles)).flatMap(([name, count]) => (count > 0 ? [`${name} (${count})`] : []))
    if (held.length === 0) return []
    await new Promise((resolve) => setTimeout(resolve, 3000))
  }
  return held
}

const memory = { service: [] as number[], host: [] as number[] }
/** The least of some samples is nearest to what a program holds: garbage that waits for its collection lifts the others, by half in a host that rests. */
const held = (samples: readonly number[], from: number, to: number) => Math.min(...part(samples, from, to))
const grew = (samples: readonly number[]): number => held(samples, 0.75, 1) / held(samples, 0.25, 0.5)

console.log(`seed ${seed}, ${minutes} minutes`)
const endAt = Date.now() + minutes * 60_000
let edits = 0
let exitCode = 0
try {
  for (let round = 1; Date.now() < endAt; round++) {
    const end = Math.min(Date.now() + roundMs, endAt)
    const dice = (of: number) => createDice(seed + round * 100 + of)
    proxy.decide(tampering(dice(0), 0.15))
    await Promise.all([
      ...[1, 2, 3, 4, 5, 6].map((of) => until(end, attackWith(serviceAttacks, dice(of), target))),
      ...[7, 8, 9].map((of) => until(end, attackWith(hostAttacks, dice(of), hostUrl))),
      until(end, async () => {
        await user.act()
        edits += 1
      }),
      until(end, readOnce),
    ])
    failIfEnded()
    proxy.decide(() => 'none')
    proxy.log.length = 0
    await new Promise((resolve) => setTimeout(resolve, restMs))
    memory.service.push(service.memory())
    memory.host.push(host.memory())
    if (round % 10 === 0) {
      await findPlaintext()
      const [a, b] = [memory.service.at(-1) ?? 0, memory.host.at(-1) ?? 0]
      console.log(`round ${round}: service ${a.toFixed(0)} MB, host ${b.toFixed(0)} MB`)
    }
  }
  const kept = await user.check(target)
  await user.lock()
  await findPlaintext()
  const leaked = process.platform === 'linux' ? await heldInMemory() : []
  failIfEnded()
  const attacks = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const growth = { service: grew(memory.service), host: grew(memory.host) }
  const inWords = (['service', 'host'] as const).map((name) => {
    const samples = memory[name]
    return `${name} ${((growth[name] - 1) * 100).toFixed(1)} % to ${held(samples, 0.75, 1).toFixed(0)} MB (median ${median(part(samples, 0.75, 1)).toFixed(0)} MB)`
  })
  const isJudged = memory.service.length >= judgedRounds
  console.log(
    `${attacks} attacks in ${minutes} minutes (seed ${seed}); ${edits} deeds of the user, ${kept} values kept; locked by ${user.wakings()} stalls of the computer; reads p99 ${Math.round(readMs.toSorted((a, b) => a - b)[Math.floor(readMs.length * 0.99)] ?? 0)} ms; memory grew: ${inWords.join(', ')}${isJudged ? '' : ' (too short a run to judge)'}`,
  )
  if (leaked.length > 0) throw new Error(`The memory of the locked host holds: ${leaked.join(', ')}`)
  if (isJudged && Math.max(growth.service, growth.host) > growthLimit) throw new Error('Memory grew by more than a tenth.')
} catch (error) {
  exitCode = 1
  console.error(`Failed with seed ${seed}: ${error instanceof Error ? error.message : String(error)}`)
  console.error(host.output().slice(-3000))
} finally {
  bridge.close()
  stalls.stop()
  await Promise.all([service, host].map((child) => (child.ended() === null ? child.stop() : Promise.resolve())))
  await proxy.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
process.exit(exitCode)
