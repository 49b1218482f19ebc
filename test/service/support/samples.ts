import { createHash, randomUUID } from 'node:crypto'
import type { Call } from './client.ts'

/** A well-formed sealed value, a different one for each text. */
export const sealed = (text: string): string => {
  const body = Buffer.concat([createHash('sha256').update(text).digest().subarray(0, 28), Buffer.from(text)])
  return `v1:${body.toString('base64')}`
}

export const devPath = '/projects/app/environments/dev'

/** Project `app` with environment `dev`. */
export const makeEnvironment = async (call: Call): Promise<{ projectId: string; environmentId: string }> => {
  const project = await call<{ id: string }>('POST', '/projects', { name: 'App', slug: 'app' })
  const environment = await call<{ id: string }>('POST', '/projects/app/environments', { name: 'Dev', slug: 'dev' })
  return { projectId: project.body.data.id, environmentId: environment.body.data.id }
}

interface ItemAnswer {
  status: string
  code?: number
  record?: { id: string } | null
}

/** What `POST /changes` answers for each of these items. */
const change = async (call: Call, changes: object[]): Promise<ItemAnswer[]> => {
  if (changes.length === 0) return []
  const reply = await call<{ items: ItemAnswer[] }>('POST', '/changes', { changes })
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
  return reply.body.data.items
}

/** Creates variables in `dev`, and updates those whose name is taken; gives what failed, as where somebody deletes one meanwhile. */
export const tryPutVariables = async (call: Call, values: Record<string, string>): Promise<ItemAnswer[]> => {
  const parentId = (await call<{ id: string }>('GET', devPath)).body.data.id
  const all = Object.entries(values).map(([name, text]) => ({ name, value: sealed(text) }))
  const made = await change(
    call,
    all.map((fields) => ({ op: 'create', resource: 'variable', id: randomUUID(), parentId, fields })),
  )
  const there = made.flatMap(({ code, record }, index) => (code === 409 ? [{ id: record?.id, fields: all[index] }] : []))
  const updated = await change(
    call,
    there.map(({ id, fields }) => ({ op: 'update', resource: 'variable', id, fields })),
  )
  return [...made.filter(({ code }) => code !== 409), ...updated].filter(({ status }) => status === 'failed')
}

/** Creates or updates variables in `dev`. */
export const putVariables = async (call: Call, values: Record<string, string>): Promise<void> => {
  const failed = await tryPutVariables(call, values)
  if (failed.length > 0) throw new Error(JSON.stringify(failed))
}

/** What `dev` holds: name to the whole record. */
export const readVariables = async (
  call: Call,
): Promise<Map<string, { id: string; value: string; type: string; isSecret: boolean; etag: string }>> => {
  const reply = await call<{ items: { name: string; id: string; value: string; type: string; isSecret: boolean; etag: string }[] }>(
    'GET',
    `${devPath}/variables?limit=1000`,
  )
  return new Map(reply.body.data.items.map((item) => [item.name, item]))
}
