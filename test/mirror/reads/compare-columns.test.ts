import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Mirror } from '../../../electron/mirror/mirror.ts'
import { compareKeyed, nameKey } from '../../../electron/mirror/name-key.ts'
import { environmentStamps } from '../../../electron/mirror/reads/compare-columns.ts'
import { build } from '../../../electron/mirror/tx.ts'
import { newMirror } from '../temp-file.ts'

interface Variable {
  name: string
  tag: string | null
  keyId: string | null
  isSecret: 0 | 1 | null
}

const put = (mirror: Mirror, environments: readonly (readonly Variable[])[]): void =>
  mirror.write((tx) => {
    tx.run(build.deleteFrom('working'))
    for (const [e, variables] of environments.entries()) {
      for (const [n, { name, tag, keyId, isSecret }] of variables.entries()) {
        const row = { id: `${e}.${n}`, kind: 'variable', parent_id: `e${e}`, name, slug: null, sealed: null, type: null } as const
        tx.run(build.insertInto('working').values({ ...row, tag, key_id: keyId, is_secret: isSecret }))
      }
    }
  })

const names = fc.oneof(
  fc.constantFrom('A', 'A"B', 'A\\', 'Ä', '🔑', '\uffee', 'A,B', '[', '\u2028', "'", '\\u0041'),
  fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => !/\p{Cc}/u.test(name)),
)
const variable = fc.record<Variable>({
  name: names,
  tag: fc.constantFrom('tag', 'other', null),
  keyId: fc.constantFrom('key', 'old', null),
  isSecret: fc.constantFrom(0, 1, null),
})
const environments = fc.array(fc.uniqueArray(variable, { selector: ({ name }) => name, maxLength: 12 }), { maxLength: 4 })

const stampOf = ({ tag, keyId }: Variable): string => (tag === null ? '' : keyId === 'key' ? tag : `${tag}.${keyId ?? ''}`)

describe('what a comparison reads', () => {
  test('is every name with its own stamp and whether it may be a secret, in order, whatever is in the names', async () => {
    const mirror = newMirror()
    await fc.assert(
      fc.asyncProperty(environments, async (given) => {
        put(mirror, given)
        const ids = given.map((_, e) => `e${e}`)
        const expected = given.map((variables) => {
          const keyed = variables.map((each) => ({ ...each, key: nameKey(each.name) }))
          const sorted = keyed.toSorted(compareKeyed)
          const secrets = sorted.map(({ isSecret }) => (isSecret === 0 ? '0' : '1')).join('')
          return { names: sorted.map(({ name }) => name), stamps: sorted.map(stampOf), secrets }
        })
        expect(await environmentStamps(mirror, ids, 'key')).toEqual(expected)
        expect(await environmentStamps(mirror, ids.toReversed(), 'key')).toEqual(expected.toReversed())
      }),
      { numRuns: 100 },
    )
  })

  test('is one list of names for environments that have the same', async () => {
    const mirror = newMirror()
    const row = { tag: 'tag', keyId: 'key', isSecret: 0 } as const
    put(mirror, [[{ name: 'A', ...row }], [{ name: 'A', ...row }], [{ name: 'B', ...row }]])
    const [one, two, three] = await environmentStamps(mirror, ['e0', 'e1', 'e2', 'none'], 'key')
    expect(two?.names).toBe(one?.names)
    expect(three?.names).toEqual(['B'])
    expect(await environmentStamps(mirror, ['none'], 'key')).toEqual([{ names: [], stamps: [], secrets: '' }])
    expect(await environmentStamps(mirror, [], 'key')).toEqual([])
  })
})
