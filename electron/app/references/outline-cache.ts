import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { sealedValues } from '../../mirror/reads/sealed-values.ts'
import { valueTags, type TagColumns } from '../../mirror/reads/value-tags.ts'
import { outlineOf, type Outline } from '../../references/parse-value.ts'

/** Outlines by the equality tag of their value. Equal values have equal references, so no value is decrypted twice. */
export interface OutlineCache {
  get(keyId: string, tag: string): Outline | undefined
  put(keyId: string, tag: string, outline: Outline): void
}

const limit = 200_000

export function createOutlineCache(): OutlineCache {
  const outlines = new Map<string, Outline>()
  return {
    get: (keyId, tag) => outlines.get(`${keyId} ${tag}`),
    put(keyId, tag, outline) {
      if (outlines.size >= limit) outlines.clear()
      outlines.set(`${keyId} ${tag}`, outline)
    },
  }
}

/** How many values are opened before other work may run. */
const sliceRows = 250

/**
 * Decrypts the values of an environment that have no outline yet, a slice at a time, and keeps their outlines. Returns the ids of the
 * variables whose value has references, or may have some because it has no outline.
 */
export async function warmOutlines(
  mirror: Mirror,
  cipher: WorkspaceCipher,
  outlines: OutlineCache,
  environmentId: string,
): Promise<string[]> {
  const tags = await valueTags(mirror, environmentId)
  const known = ({ tag, key_id }: TagColumns) => (tag === null || key_id === null ? undefined : outlines.get(key_id, tag))
  const fresh = tags.filter((each) => each.tag !== null && each.key_id === cipher.keyId && known(each) === undefined)
  for (let at = 0; at < fresh.length; at += sliceRows) {
    const ids = fresh.slice(at, at + sliceRows).map(({ id }) => id)
    for (const { sealed } of await sealedValues(mirror, ids)) {
      const text = sealed === null ? null : cipher.open(sealed)
      // The value may have changed since it was listed, so its tag is computed again.
      if (text !== null) outlines.put(cipher.keyId, cipher.tagOf(text), outlineOf(text))
    }
    await nextTurn()
  }
  return tags.filter((each) => known(each)?.sources.length !== 0).map(({ id }) => id)
}
