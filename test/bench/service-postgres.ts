import { join } from 'node:path'
import { createDatabase } from '../service/support/create-database.ts'
import { startPostgres } from '../service/support/start-postgres.ts'
import { createVariables, fillService, sealedValue } from './support/data-set.ts'
import { load, requestBytes } from './support/http-load.ts'
import { interleave } from './support/rounds.ts'
import { ratioAtLeast } from './support/row.ts'
import type { Bench, Row } from './support/row.ts'
import { runCommand, startServer, startService, stopServer } from './support/servers.ts'
import type { Server } from './support/servers.ts'

const writers = 64
const writes = 3000
const workspaces = 8

/** The variables of one workspace, and the key that may write them. */
interface Place {
  apiKey: string
  ids: string[]
}

const fill = async (server: Server): Promise<Place> => {
  const [environmentId = ''] = await fillService(server, 1, 0)
  return { apiKey: server.apiKey, ids: await createVariables(server, environmentId, 100) }
}

/** Sends updates over 64 connections, shared out among the servers, and gives how many were answered in a second. */
const updates = async (servers: readonly Server[], places: readonly Place[]): Promise<number> => {
  const begin = performance.now()
  await Promise.all(
    servers.map(({ url }) => {
      let sent = 0
      return load(url, writers / servers.length, () => {
        if (sent >= writes / servers.length) return null
        const place = places[sent % places.length]
        const id = place?.ids[sent % (place.ids.length - 1)]
        sent++
        const headers = { authorization: `Bearer ${place?.apiKey}` }
        return requestBytes(url, 'PATCH', `/variables/${id}`, headers, JSON.stringify({ value: sealedValue() }))
      })
    }),
  )
  return writes / ((performance.now() - begin) / 1000)
}

/**
 * 64 writers on PostgreSQL: updates a second of one process and of two, in one workspace and over eight, beside the same statements without
 * the row of the clock that orders commits.
 */
export const bench: Bench = async () => {
  const postgres = await startPostgres()
  const servers: Server[] = []
  try {
    const databaseUrl = await createDatabase(postgres.url)
    const first = await startService({ databaseUrl })
    const second = await startService({ databaseUrl })
    servers.push(first, second)
    const bareFile = join(import.meta.dirname, 'support', 'bare-postgres.child.ts')
    const bare = await Promise.all([0, 1].map(() => startServer([bareFile, databaseUrl])))
    servers.push(...bare)
    const places = [await fill(first)]
    for (let index = 1; index < workspaces; index++) {
      const args = ['workspaces', 'create', '--name', `w${index}`, '--slug', `w${index}`, '--owner', 'bench@example.com']
      const { apiKey } = (await runCommand(databaseUrl, args)) as { apiKey: string }
      places.push(await fill({ ...first, apiKey }))
    }
    const one = places.slice(0, 1)
    const seen = await interleave({
      bare: () => updates(bare.slice(0, 1), places),
      one: () => updates([first], one),
      eight: () => updates([first], places),
      oneByTwo: () => updates([first, second], one),
      eightByTwo: () => updates([first, second], places),
      bareByTwo: () => updates(bare, places),
    })
    const row = (what: string, ours: number[], rival: { what: string; values: number[] }, limit: number): Row => ({
      what: `updates, ${what}`,
      unit: '/s',
      ours,
      rival,
      goal: ratioAtLeast(limit),
    })
    const without = { what: 'without the clock row', values: seen.bare }
    return [
      row('one workspace, 1 process', seen.one, without, 0.8),
      row('eight workspaces, 1 process', seen.eight, without, 0.8),
      row('one workspace, 2 processes', seen.oneByTwo, { what: '1 process', values: seen.one }, 1.8),
      row('eight workspaces, 2 processes', seen.eightByTwo, { what: '1 process', values: seen.eight }, 1.8),
      // What a second process can bring on this machine at all.
      {
        what: 'updates without the clock row, 2 processes',
        unit: '/s',
        ours: seen.bareByTwo,
        rival: { what: '1 process', values: seen.bare },
      },
    ]
  } finally {
    await Promise.all(servers.map(stopServer))
    await postgres.stop()
  }
}
