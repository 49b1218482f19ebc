import { createHash } from 'node:crypto'
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

/** Creates or updates variables in `dev`, in the order given. */
export const putVariables = async (call: Call, values: Record<string, string>): Promise<void> => {
  const variables = Object.entries(values).map(([name, text]) => ({ name, value: sealed(text) }))
  const reply = await call<{ items: { status: string }[] }>('POST', `${devPath}/variables/bulk`, { variables })
  if (reply.status !== 200 || reply.body.data.items.some(({ status }) => status === 'failed')) throw new Error(JSON.stringify(reply.body))
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
