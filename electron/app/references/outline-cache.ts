import type { Outline } from '../../references/parse-value.ts'

/** Outlines by the equality tag of their value: equal values have equal references, so nothing is opened twice to look for them. */
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
