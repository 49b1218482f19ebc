import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withService } from './support/data-set.ts'
import type { Mirrored } from './support/first-mirror.child.ts'
import type { PeerMirrored } from './peers/peers.child.ts'
import { interleave, timeRows } from './support/rounds.ts'
import { NotMeasuredError, ratioAtMost } from './support/row.ts'
import type { Bench, Row } from './support/row.ts'
import { runChild } from './support/run-child.ts'

const environments = 100
const each = 1000
const peers = { tinybase: 'TinyBase, SQLite', pouchdb: 'PouchDB, LevelDB', rxdb: 'RxDB, memory only' } as const

/** The same 100,000 variables from the same service, into a mirror of ours and into stores of others, which leave values sealed. */
export const bench: Bench = () => {
  if (!existsSync(join(import.meta.dirname, 'peers', 'node_modules')))
    throw new NotMeasuredError('install the peers first: npm ci --prefix test/bench/peers --ignore-scripts')
  return withService(environments, each, async ({ url, apiKey, workspaceId }) => {
    const checked = <T extends { rows: number }>(mirrored: T): T => {
      if (mirrored.rows !== environments * each) throw new Error(`${mirrored.rows} variables were mirrored`)
      return mirrored
    }
    const peer = (name: keyof typeof peers) => async () =>
      checked(await runChild<PeerMirrored>('../peers/peers.child.ts', [name, url, apiKey]))
    const seen = await interleave({
      ours: async () => checked(await runChild<Mirrored>('first-mirror.child.ts', ['ours', url, apiKey, workspaceId])),
      tinybase: peer('tinybase'),
      pouchdb: peer('pouchdb'),
      rxdb: peer('rxdb'),
    })
    return (Object.keys(peers) as (keyof typeof peers)[]).flatMap((name): Row[] => [
      ...timeRows(
        `first mirror beside ${peers[name]}`,
        seen.ours,
        { what: peers[name], taken: seen[name] },
        { on: 'cpu', goal: ratioAtMost(1) },
      ),
      {
        what: `first mirror beside ${peers[name]}, most memory`,
        unit: 'MB',
        ours: seen.ours.map(({ memory }) => memory),
        rival: { what: peers[name], values: seen[name].map(({ memory }) => memory) },
      },
    ])
  })
}
