import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuid } from 'uuid'
import { createWorkspaceCipher } from '../../../electron/cipher/workspace-cipher.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { ask, startService, stopServer } from './servers.ts'
import type { Server } from './servers.ts'

const words = ['DATABASE', 'SERVICE', 'PAYMENT', 'SESSION', 'CACHE', 'QUEUE', 'MAIL', 'SEARCH', 'ORDER', 'STORAGE', 'METRICS', 'GATEWAY']
const ends = ['URL', 'HOST', 'PORT', 'TOKEN', 'SECRET', 'TIMEOUT_MS', 'ENABLED', 'REGION', 'API_KEY', 'USER', 'PASSWORD', 'LIMIT']
const itemsAtOnce = 200

/** Names as they are usual; no two numbers below a million give the same one. */
export const nameOf = (n: number): string => `${words[n % 12]}_${words[Math.floor(n / 12) % 12]}_${ends[Math.floor(n / 144) % 12]}_${n}`

/** The key of the workspace that every case seals with. */
export const workspaceKey = (): Uint8Array => Uint8Array.from({ length: 32 }, (_, n) => n)

const random = seededRandom(13)

/** A plaintext of 20 to 100 characters, from a seed. */
export const plainValue = (): string => {
  const length = 20 + Math.floor(random() * 80)
  let text = 'https://'
  while (text.length < length) text += Math.floor(random() * 2 ** 32).toString(36)
  return text.slice(0, length)
}

const cipher = createWorkspaceCipher(workspaceKey())

/** A sealed value of `plainValue`. */
export const sealedValue = (): string => cipher.seal(plainValue()).sealed

/** Puts `count` variables into an environment, under ids as the application makes them; gives the ids. */
export const createVariables = async (server: Server, environmentId: string, count: number): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => uuid())
  for (let start = 0; start < count; start += itemsAtOnce) {
    const changes = ids.slice(start, start + itemsAtOnce).map((id, index) => ({
      op: 'create',
      resource: 'variable',
      id,
      parentId: environmentId,
      fields: { name: nameOf(start + index), value: sealedValue() },
    }))
    await ask(server, 'POST', '/changes', { changes })
  }
  return ids
}

/** A project `app` with environments `env-0`, `env-1`, ... of `each` variables; gives the ids of the environments. */
export const fillService = async (server: Server, environments: number, each: number): Promise<string[]> => {
  await ask(server, 'POST', '/projects', { name: 'App', slug: 'app' })
  const ids: string[] = []
  for (let n = 0; n < environments; n += 1) {
    const { id } = await ask<{ id: string }>(server, 'POST', '/projects/app/environments', { name: `Env ${n}`, slug: `env-${n}` })
    await createVariables(server, id, each)
    ids.push(id)
  }
  return ids
}

/** Runs `work` beside a service on SQLite that holds `environments` × `each` variables, in a folder that goes with it. */
export const withService = async <T>(
  environments: number,
  each: number,
  work: (server: Server, folder: string) => Promise<T>,
): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const server = await startService({ dir: join(folder, 'service') })
  try {
    await fillService(server, environments, each)
    return await work(server, folder)
  } finally {
    await stopServer(server)
    rmSync(folder, { recursive: true, force: true })
  }
}
