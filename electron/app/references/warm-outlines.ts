import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { sealedValues } from '../../mirror/reads/sealed-values.ts'
import { valueTags } from '../../mirror/reads/value-tags.ts'
import { outlineOf } from '../../references/parse-value.ts'
import type { OutlineCache } from './outline-cache.ts'

/** Values opened between two pauses. */
const sliceRows = 250

/** Opens, some at a time, the values of an environment that have not been looked at yet, so that what follows need not. */
export async function warmOutlines(mirror: Mirror, cipher: WorkspaceCipher, outlines: OutlineCache, environmentId: string): Promise<void> {
  const tags = await valueTags(mirror, environmentId)
  const fresh = tags.filter(({ tag, key_id }) => tag !== null && key_id === cipher.keyId && outlines.get(key_id, tag) === undefined)
  for (let at = 0; at < fresh.length; at += sliceRows) {
    const ids = fresh.slice(at, at + sliceRows).map(({ id }) => id)
    for (const { sealed } of await sealedValues(mirror, ids)) {
      const text = sealed === null ? null : cipher.open(sealed)
      // The value may be another one by now than the one that was listed, so its tag is made anew.
      if (text !== null) outlines.put(cipher.keyId, cipher.tagOf(text), outlineOf(text))
    }
    await nextTurn()
  }
}
