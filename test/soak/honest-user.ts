import type { Result } from '../../electron/bridge/result.ts'
import type { SyncStatus } from '../../electron/bridge/rows.ts'
import type { SocketBridge } from '../../src/lib/socket-bridge.ts'
import type { Dice } from './dice.ts'
import type { Stalls } from './watch-stalls.ts'

class Refused extends Error {
  readonly kind: string
  constructor({ kind, message }: { kind: string; message: string }) {
    super(`${kind}: ${message}`)
    this.kind = kind
  }
}

const valueOf = <T>(result: Result<T, { message: string; kind: string }>): T => {
  if (!result.ok) throw new Refused(result.error)
  return result.value
}

/** Longer is a hang. */
const unlockLimitMs = 90_000

/** One who edits, exports, locks and unlocks all the while, and knows what every value has to be. */
export interface HonestUser {
  /** Does one thing. Throws when the application answers what it must not. */
  act(): Promise<void>
  /** Waits until everything has reached the service, and throws where a value is not the last one that was acknowledged. */
  check(service: { url: string; apiKey: string }): Promise<number>
  /** What must be found nowhere: the beginning of every value, the passphrase, the workspace key. */
  secrets: readonly string[]
  recoveryKey: string
  lock(): Promise<void>
  /** How often the host locked itself because the computer stood still, and the user unlocked it again. */
  wakings(): number
}

export async function createHonestUser(
  bridge: SocketBridge,
  dice: Dice,
  { baseUrl, apiKey, sentinel, stalls }: { baseUrl: string; apiKey: string; sentinel: string; stalls: Stalls },
): Promise<HonestUser> {
  const passphrase = `${sentinel}-passphrase-of-the-vault`
  valueOf(await bridge.command('keys.choose', { store: 'vault', passphrase }))
  const connected = valueOf(
    await bridge.command('workspaces.connect', { baseUrl, apiKey, allowInsecure: false, workspaceKey: null, confirmNoValues: true }),
  )
  const { workspaceId } = connected
  const { recoveryKey } = valueOf(await bridge.query('keys.recovery', { workspaceId }))
  const project = valueOf(await bridge.command('projects.create', { workspaceId, name: 'Honest', slug: 'honest' }))
  const environment = valueOf(
    await bridge.command('environments.create', { workspaceId, projectId: project.id, name: 'Main', slug: 'main' }),
  )
  const place = { workspaceId, environmentId: environment.id }
  const expected = new Map<string, string>()
  let count = 0

  const rows = async () => valueOf(await bridge.query('variables.page', { ...place, filter: '', offset: 0, limit: 500 })).rows
  const newValue = () => `${sentinel}-${++count}-${'x'.repeat(dice.chance(0.02) ? 200_000 : dice.below(300))}`

  const edit = async (): Promise<void> => {
    const name = `NAME_${dice.below(60)}`
    const row = (await rows()).find((one) => one.name === name)
    const value = newValue()
    if (row === undefined) {
      valueOf(await bridge.command('variables.create', { ...place, name, value, type: 'string', isSecret: dice.chance(0.5) }))
      expected.set(name, value)
    } else if (dice.chance(0.2)) {
      valueOf(await bridge.command('variables.delete', { workspaceId, rows: [{ id: row.id, seen: row.rev }] }))
      expected.delete(name)
    } else {
      valueOf(await bridge.command('variables.update', { workspaceId, id: row.id, seen: row.rev, value }))
      expected.set(name, value)
    }
  }
  const exportAll = async (): Promise<void> => {
    const format = dice.pick(['env', 'json', 'yaml', 'shell', 'docker', 'kubernetes'] as const)
    valueOf(await bridge.query('export.text', { ...place, format, reveal: true, resolve: dice.chance(0.5) }))
  }
  const importSome = async (): Promise<void> => {
    const [name, value] = [`NAME_${dice.below(60)}`, newValue()]
    const { rev } = valueOf(await bridge.query('import.preview', { ...place, text: `${name}=${value}` }))
    valueOf(await bridge.command('import.apply', { ...place, text: `${name}=${value}`, seen: rev }))
    expected.set(name, value)
  }
  const lock = async () => valueOf(await bridge.command('keys.lock', {}))
  const unlock = async (): Promise<void> => {
    valueOf(await bridge.command('keys.unlock', { passphrase }))
    // Keys are loaded after the answer; a busy computer takes its time for what a lock and an unlock work out.
    const until = Date.now() + unlockLimitMs
    for (;;) {
      const shown = await bridge.query('variables.values', { workspaceId, ids: [], reveal: true })
      if (shown.ok) return
      const { keys } = valueOf(await bridge.query('app.status', {}))
      if (keys.state === 'locked') throw new Refused(shown.error)
      if (Date.now() > until) throw new Error(`the workspace stays locked after its unlock (${shown.error.kind}: ${shown.error.message})`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const lockAndUnlock = async (): Promise<void> => {
    await lock()
    const wrong = await bridge.command('keys.unlock', { passphrase: 'wrong' })
    if (wrong.ok) throw new Error('a wrong passphrase unlocked the vault')
    await unlock()
  }
  let wakings = 0
  /** Runs `work`, again after each time that the host locked itself in it: it takes it for a sleep when the computer stands still for ten seconds. */
  const throughSleep = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof Refused) || error.kind !== 'keys-locked') throw error
        const { keys } = valueOf(await bridge.query('app.status', {}))
        const by = 'by' in keys ? keys.by : null
        if (by !== 'system' || !stalls.isRecent())
          throw new Error(`the host is locked (by: ${by}), and the computer did not stand still: ${error.message}`, { cause: error })
        wakings += 1
        await throughSleep(unlock)
      }
    }
  }
  /** Calls that no page makes. */
  const misuse = async (): Promise<void> => {
    const args = dice.pick([
      null,
      7,
      '',
      { workspaceId: '../..' },
      { ...place, offset: -1 },
      { ...place, filter: 'x'.repeat(10_000) },
      JSON.parse('{"__proto__":1}'),
    ])
    const name = dice.pick([
      'variables.page',
      'variables.create',
      'import.apply',
      'constructor',
      '__proto__',
      'nothing',
      'queue.apply',
    ]) as 'queue.apply'
    const answer = await bridge.command(name, args as never)
    if (answer.ok) throw new Error(`the application took ${name} with what it must refuse`)
  }
  const deeds = [edit, edit, edit, edit, edit, exportAll, importSome, misuse]

  return {
    secrets: [sentinel, recoveryKey],
    recoveryKey,
    lock: async () => void (await lock()),
    wakings: () => wakings,
    act: async () => throughSleep(dice.chance(0.03) ? lockAndUnlock : dice.pick(deeds)),
    check: (service) =>
      throughSleep(async () => {
        const readStatus = async () => valueOf(await bridge.query('sync.status', { workspaceId }))
        // Values that attackers wrote in an environment of theirs ask for the user's attention, and rightly so.
        const isDone = ({ state, queued, attention, unverified }: SyncStatus) =>
          queued === 0 && attention === 0 && (state === 'synced' || (state === 'attention' && unverified > 0))
        let status = await readStatus()
        for (let tries = 0; tries < 180 && !isDone(status); tries++) {
          valueOf(await bridge.command('sync.now', { workspaceId }))
          await new Promise((resolve) => setTimeout(resolve, 1000))
          status = await readStatus()
        }
        if (!isDone(status)) {
          const waiting = valueOf(await bridge.query('queue.list', { workspaceId })).map(
            ({ kind, state, reason }) => `${kind} ${state}: ${reason}`,
          )
          throw new Error(`sync does not come to its end: ${status.state}, ${status.message} ${waiting.slice(0, 10).join('; ')}`)
        }
        const doubted = valueOf(await bridge.query('unverified.list', { workspaceId })).rows.find(({ where }) => where === 'Honest / Main')
        if (doubted !== undefined) throw new Error(`${doubted.name} of the user is Unverified: ${doubted.doubt}`)
        const shown = await rows()
        const values = valueOf(await bridge.query('variables.values', { workspaceId, ids: shown.map(({ id }) => id), reveal: true }))
        const valueOfId = new Map(values.map((one) => [one.id, one]))
        for (const [name, value] of expected) {
          const row = shown.find((one) => one.name === name)
          const one = row && valueOfId.get(row.id)
          if (one === undefined || !('value' in one) || one.value !== value) throw new Error(`${name} is not what was saved last`)
        }
        const path = `${service.url}/projects/honest/environments/main/variables?limit=1000`
        const listed = (await (await fetch(path, { headers: { authorization: `Bearer ${service.apiKey}` } })).json()) as {
          data: { items: { name: string; value: string }[] }
        }
        const names = listed.data.items.map(({ name }) => name).toSorted()
        const wanted = [...expected.keys()].toSorted()
        if (names.join() !== wanted.join() || shown.length !== wanted.length)
          throw new Error(`the service has ${names.length} variables, the application ${shown.length}, the user made ${wanted.length}`)
        return wanted.length
      }),
  }
}
