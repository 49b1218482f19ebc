import { formatWorkspaceKey } from '../../electron/cipher/workspace-key.ts'
import type { Dice } from './dice.ts'
import { badKey, keyOfElsewhere } from './key-ring.ts'
import type { Player } from './player.ts'
import { Violation } from './violation.ts'

/** How often each is drawn, beside all others. */
export const keyDeeds = { lock: 1.5, unlock: 4, forgetKey: 0.7, supplyKeys: 3 }

export type KeyDeed = keyof typeof keyDeeds

export const isKeyDeed = (deed: string): deed is KeyDeed => deed in keyDeeds

/** Keys that are hidden, refused, forgotten and supplied again; null when there was nothing to do. */
export async function playKeyDeed(player: Player, deed: KeyDeed, dice: Dice): Promise<string | null> {
  // What is under way ends first, in the application as here.
  if (player.syncing || player.ring === null) return null
  switch (deed) {
    case 'lock':
      return lock(player)
    case 'unlock': {
      player.ring.isRefusing = dice.chance(0.2)
      return said(await player.command('keys.unlock', {}))
    }
    case 'forgetKey': {
      const what = dice.pick(['api-key', 'workspace-key'] as const) ?? 'api-key'
      player.ring.forget(what)
      return `${what} ${await lock(player)} ${said(await player.command('keys.unlock', {}))}`
    }
    case 'supplyKeys':
      return supply(player, dice)
  }
}

const said = (done: { ok: true } | { ok: false; error: { kind: string } }): string => (done.ok ? 'done' : done.error.kind)

/** Locked, no value is taken and none is told. */
async function lock(player: Player): Promise<string> {
  await player.command('keys.lock', {})
  const environment = player.client.children('project', null).flatMap(({ id }) => player.client.children('environment', id))[0]
  if (environment === undefined) return 'locked'
  const input = { environmentId: environment.id, name: 'LOCKED', value: 'locked', type: 'string', isSecret: true } as const
  const done = await player.command('variables.create', input)
  if (done.ok) throw new Violation(`${player.name}: a value was taken while the keys were locked`)
  return `locked: ${done.error.kind}`
}

async function supply(player: Player, dice: Dice): Promise<string | null> {
  const { ring } = player
  if (ring === null) return null
  const apiKey = dice.pick([undefined, ring.goodApiKey, badKey, keyOfElsewhere] as const)
  const workspaceKey = dice.pick([undefined, ring.workspaceKey, formatWorkspaceKey(new Uint8Array(32).fill(252))] as const)
  if (apiKey === undefined && workspaceKey === undefined) return null
  const holdsValues = player.client.rowsAsStored(() => '').some((row) => row.startsWith('variable'))
  const done = await player.ask(
    'workspaces.supply-keys',
    { ...(apiKey === undefined ? {} : { apiKey }), ...(workspaceKey === undefined ? {} : { workspaceKey }) },
    apiKey === keyOfElsewhere ? 'elsewhere' : undefined,
  )
  if (done === null) return null
  const what = `${apiKey === undefined ? '' : apiKey === ring.goodApiKey ? 'good ' : `${apiKey} `}${workspaceKey === undefined ? '' : workspaceKey === ring.workspaceKey ? 'right' : 'wrong'}`
  if (done === 'crashed') return `${what}: crashed`
  const isWrong = workspaceKey !== undefined && workspaceKey !== ring.workspaceKey
  if (done.ok && (apiKey === badKey || apiKey === keyOfElsewhere || (isWrong && holdsValues)))
    throw new Violation(`${player.name}: ${what} was taken for a key of this workspace`)
  // Where nothing is sealed yet any key is as good as another: that of the others is meant.
  if (done.ok && isWrong) ring.fill()
  return `${what}: ${said(done)}`
}
