import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestClient } from '../support/build-client.ts'
import { createVariables, fillService, nameOf, plainValue, sealedValue, workspaceKey } from './support/data-set.ts'
import { interleave, timed, timeRows } from './support/rounds.ts'
import { ratioAtMost } from './support/row.ts'
import type { Bench, Row } from './support/row.ts'
import { ask, startService, stopServer } from './support/servers.ts'
import type { Server } from './support/servers.ts'

const edits = 1000
const itemsAtOnce = 200

interface Place {
  environmentId: string
  ids: string[]
}

const makePlaces = async (server: Server, environments: number): Promise<Place[]> => {
  const places: Place[] = []
  for (const environmentId of await fillService(server, environments, 0)) {
    places.push({ environmentId, ids: await createVariables(server, environmentId, edits / environments) })
  }
  return places
}

/** The same edits as requests and nothing else: those of one environment together, 200 at most, one request after another. */
const raw = async (server: Server, places: readonly Place[]): Promise<void> => {
  for (const { ids } of places) {
    for (let start = 0; start < ids.length; start += itemsAtOnce) {
      const changes = ids
        .slice(start, start + itemsAtOnce)
        .map((id) => ({ op: 'update', resource: 'variable', id, fields: { value: sealedValue() } }))
      await ask(server, 'POST', '/changes', { changes })
    }
  }
}

const measure = async (environments: number, limit: number): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const server = await startService({ dir: join(folder, 'service') })
  const places = await makePlaces(server, environments)
  const client = new TestClient({ service: server, key: workspaceKey(), random: Math.random, parent: folder })
  await client.sync()
  const project = client.find('project', null, 'app').id
  const local = places.map((_, n) => client.find('environment', project, `env-${n}`).id)
  const push = async () => {
    for (const environment of local)
      for (let n = 0; n < edits / environments; n += 1) client.setVariable(environment, nameOf(n), plainValue())
    const taken = await timed(() => client.sync())
    if (client.queue().length > 0) throw new Error(`${client.queue().length} changes are left`)
    return taken
  }
  const seen = await interleave({
    ours: push,
    raw: async () => {
      const taken = await timed(() => raw(server, places))
      // Its own round has the client learn of these changes, not the next one that is measured.
      await client.sync()
      return taken
    },
  })
  await client.close()
  await stopServer(server)
  rmSync(folder, { recursive: true, force: true })
  const rival = { what: `${environments === 1 ? edits / itemsAtOnce : environments} bare requests`, taken: seen.raw }
  const where = environments === 1 ? 'one environment' : `${environments} environments`
  return timeRows(`push of 1,000 edits, ${where}`, seen.ours, rival, { on: 'wall', goal: ratioAtMost(limit) })
}

/** Edits made offline and sent over real HTTP to a real service, until the queue is empty and everything is read back. */
export const bench: Bench = async () => [...(await measure(1, 2.5)), ...(await measure(100, 1.5))]
