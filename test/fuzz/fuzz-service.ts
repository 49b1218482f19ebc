import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { dropDeletions } from '../../service/store/archive.ts'
import { clean } from '../../service/store/clean.ts'
import { writeIn } from '../../service/store/write.ts'
import { createService, type Service, type ServiceDeps } from '../../service/app.ts'
import { putFreshStore } from '../support/fresh-databases.ts'

/** A variable as the service has it, whatever way it got there. */
export interface StoredVariable {
  id: string
  environment_id: string
  name: string
  value: string
  type: string
  is_secret: number
}

export interface StoredPlace {
  id: string
  parent_id: string | null
  name: string
  slug: string
}

export interface StoredVersion {
  id: string
  environment_id: string
  note: string
}

export interface StoredMember {
  id: string
  email: string
  role_id: string
}

/** All that a service stores, in no order. */
export interface Stored {
  projects: StoredPlace[]
  environments: StoredPlace[]
  variables: StoredVariable[]
  versions: StoredVersion[]
  members: StoredMember[]
}

/** The real service in this process, reached at the fetch port, and looked at behind the wire. */
export interface FuzzService {
  url: string
  apiKey: string
  workspaceId: string
  fetch: typeof fetch
  stored(): Stored
  /** What a version holds, by the service's id of it. */
  savedIn(versionId: string): { name: string; value: string }[]
  /** Does what a service does every day, so many days from now: what has had its time is forgotten. */
  cleanAfter(days: number): Promise<void>
  /** The time of all that is deleted is over: nothing of it can be restored any more. */
  forgetDeleted(): Promise<void>
  close(): Promise<void>
}

const fetchOf =
  ({ app }: Service): typeof fetch =>
  async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const answer = await app.inject({
      method: (init?.method ?? 'GET') as 'GET',
      url: url.pathname + url.search,
      headers: Object.fromEntries(new Headers(init?.headers)),
      ...(typeof init?.body === 'string' ? { payload: init.body } : {}),
    })
    const headers = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, String(value))
    return new Response(answer.rawPayload.length === 0 ? null : answer.payload, { status: answer.statusCode, headers })
  }

/** Starts it with its data in a folder of its own below `parent`. */
export async function startFuzzService(parent: string, deps: Partial<ServiceDeps>): Promise<FuzzService> {
  const dir = mkdtempSync(join(parent, 'holdfast-service-'))
  await putFreshStore(dir)
  const limits = { requestsPerMinute: null, strangerRequestsPerMinute: null }
  const service = await createService({ storage: { dataDir: dir }, ...limits, mintKey: true, ...deps })
  if (service.apiKey === null) throw new Error('no key was minted')
  const database = new SqliteDatabase(join(dir, 'service.db'), { readonly: true })
  const projects = database.prepare<[], StoredPlace>('SELECT id, NULL AS parent_id, name, slug FROM projects')
  const environments = database.prepare<[], StoredPlace>('SELECT id, project_id AS parent_id, name, slug FROM environments')
  const variables = database.prepare<[], StoredVariable>('SELECT id, environment_id, name, value, type, is_secret FROM variables')
  const versions = database.prepare<[], StoredVersion>('SELECT id, environment_id, note FROM versions')
  const members = database.prepare<[], StoredMember>('SELECT id, email, role_id FROM members')
  const saved = database.prepare<[string], { name: string; value: string }>(
    'SELECT name, value FROM version_variables WHERE version_id = ? ORDER BY name',
  )
  return {
    url: 'http://127.0.0.1:1024',
    apiKey: service.apiKey,
    workspaceId: service.workspaceId,
    fetch: fetchOf(service),
    stored: () => ({
      projects: projects.all(),
      environments: environments.all(),
      variables: variables.all(),
      versions: versions.all(),
      members: members.all(),
    }),
    savedIn: (versionId) => saved.all(versionId),
    cleanAfter: async (days) => {
      for (let day = 1; day <= days; day++) await clean(service.store, Date.now() + day * 86_400_000)
      // The test goes on in the present.
      await service.store.kysely.deleteFrom('trim_clock').execute()
    },
    forgetDeleted: () =>
      writeIn(
        service.store,
        service.workspaceId,
        { at: new Date(deps.now?.() ?? Date.now()).toISOString(), by: 'service' },
        async (write) => {
          await dropDeletions(write, '9999')
        },
      ),
    async close() {
      database.close()
      await service.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
