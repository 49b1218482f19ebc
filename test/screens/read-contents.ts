import { createWorkspaceCipher } from '../../electron/cipher/workspace-cipher.ts'
import { parseWorkspaceKey } from '../../electron/cipher/workspace-key.ts'
import { sealedBytes } from '../../electron/cipher/sealed-bytes.ts'
import type { Contents } from './watched-service.ts'

interface Place {
  url: string
  apiKey: string
  workspaceId: string
  workspaceKey: string
  project: string
}

/** Reads variables of these names in these environments by operation 7 of the interface, and opens their values with the workspace key. */
export function contentsReader(
  { url, apiKey, workspaceId, workspaceKey, project }: Place,
  environments: readonly string[],
  names: readonly string[],
): () => Promise<Contents> {
  const key = parseWorkspaceKey(workspaceKey)
  if (!key.ok) throw new Error(key.error.message)
  const cipher = createWorkspaceCipher(key.value)
  const types = ['string', 'number', 'boolean'] as const

  const read = async (environment: string, name: string): Promise<[string, string][]> => {
    const path = `/projects/${project}/environments/${environment}/variables/${name}`
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
    if (response.status === 404) return []
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`)
    const { data }: { data: { value: string; environmentId: string } } = await response.json()
    if (sealedBytes(data.value) === null) return [[name, data.value]]
    const places = types.flatMap((type) =>
      [false, true].map((isSecret) => ({ workspaceId, environmentId: data.environmentId, name, type, isSecret })),
    )
    const opened = cipher.openBound(data.value, places)
    return [[name, opened === null ? (cipher.open(data.value) ?? data.value) : opened.text]]
  }

  return async () => {
    const all = await Promise.all(
      environments.map(async (environment) => {
        const found = await Promise.all(names.map((name) => read(environment, name)))
        return [environment, Object.fromEntries(found.flat())] as const
      }),
    )
    return Object.fromEntries(all)
  }
}
