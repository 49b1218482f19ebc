import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contentsText, countsAgree, planRollback, type NamedFields, type Saved } from '../../../electron/sync/plan/plan-rollback.ts'
import { sealed } from '../../queue/a-change.ts'

const now = (...entries: [name: string, text: string, iv?: number][]): NamedFields[] =>
  entries.map(([name, text, iv]) => ({ name, value: sealed(text, iv) }))
const saved = (...entries: [name: string, text: string, iv?: number][]): Saved[] =>
  entries.map(([name, text, iv]) => ({ name, value: sealed(text, iv) }))
const opaque = (bytes: string) => ({ sealed: `v1:${bytes}`, tag: null, keyId: 'k' })

const table: { says: string; now: NamedFields[]; saved: Saved[]; plan: object }[] = [
  { says: 'nothing and nothing are the same', now: [], saved: [], plan: { counts: { added: 0, updated: 0, removed: 0 }, same: 0 } },
  {
    says: 'what is only in the version is added',
    now: [],
    saved: saved(['A', '1']),
    plan: { counts: { added: 1, updated: 0, removed: 0 } },
  },
  { says: 'what is only here is removed', now: now(['A', '1']), saved: [], plan: { counts: { added: 0, updated: 0, removed: 1 } } },
  {
    says: 'another text is updated',
    now: now(['A', '2']),
    saved: saved(['A', '1']),
    plan: { counts: { added: 0, updated: 1, removed: 0 }, same: 0 },
  },
  {
    says: 'other bytes of the same text are the same, and said to be sealed anew',
    now: now(['A', '1', 2]),
    saved: saved(['A', '1', 1]),
    plan: { counts: { added: 0, updated: 0, removed: 0 }, same: 1, resealed: 1 },
  },
  {
    says: 'what cannot be compared is updated',
    now: [{ name: 'A', value: opaque('x') }],
    saved: [{ name: 'A', value: opaque('y') }],
    plan: { counts: { added: 0, updated: 1, removed: 0 } },
  },
  {
    says: 'equal bytes are equal, read or not',
    now: [{ name: 'A', value: opaque('x') }],
    saved: [{ name: 'A', value: opaque('x') }],
    plan: { same: 1, resealed: 0 },
  },
  {
    says: 'a name with another case is another name',
    now: now(['a', '1']),
    saved: saved(['A', '1']),
    plan: { counts: { added: 1, updated: 0, removed: 1 } },
  },
]

describe('planRollback', () => {
  test.each(table)('$says', ({ now: present, saved: there, plan }) => {
    expect(planRollback(present, there)).toMatchObject(plan)
  })

  const names = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', '__proto__', ''), { maxLength: 6 })
  const entries = names.chain((each) => fc.tuple(...each.map((name) => fc.tuple(fc.constant(name), fc.constantFrom('1', '2')))))

  test('a rollback to what is there does nothing, and every name is counted once', () => {
    fc.assert(
      fc.property(entries, entries, (here, there) => {
        const plan = planRollback(now(...here), saved(...there))
        expect(planRollback(now(...there), saved(...there)).counts).toEqual({ added: 0, updated: 0, removed: 0 })
        const { added, updated, removed } = plan.counts
        expect(added + updated + removed + plan.same).toBe(new Set([...here, ...there].map(([name]) => name)).size)
        expect(there.length).toBe(added + updated + plan.same)
        expect(here.length).toBe(removed + updated + plan.same)
      }),
    )
  })

  test('contents are told apart by names, texts, types and secrecy, and by nothing else', () => {
    const first: NamedFields = { name: 'A', value: sealed('1', 1), type: 'string', isSecret: false }
    const one: NamedFields[] = [first, { name: 'B', value: sealed('2', 1) }]
    const same: NamedFields[] = [
      { name: 'B', value: sealed('2', 9) },
      { ...first, value: sealed('1', 9) },
    ]
    expect(contentsText(same)).toBe(contentsText(one))
    const others: NamedFields[][] = [
      [],
      one.slice(1),
      [{ ...first, name: 'C' }, ...one.slice(1)],
      [{ ...first, value: sealed('3') }, ...one.slice(1)],
      [{ ...first, type: 'number' }, ...one.slice(1)],
      [{ ...first, isSecret: true }, ...one.slice(1)],
    ]
    expect(new Set(others.map(contentsText)).size).toBe(others.length)
    for (const other of others) expect(contentsText(other)).not.toBe(contentsText(one))
  })
})

describe('countsAgree', () => {
  const previewed = { added: 1, updated: 2, removed: 3 }
  test.each([
    { said: previewed, resealed: 0, agree: true },
    { said: { ...previewed, updated: 3 }, resealed: 1, agree: true },
    { said: { ...previewed, updated: 2 }, resealed: 1, agree: true },
    { said: { ...previewed, updated: 3 }, resealed: 0, agree: false },
    { said: { ...previewed, updated: 1 }, resealed: 1, agree: false },
    { said: { ...previewed, added: 0 }, resealed: 1, agree: false },
    { said: { ...previewed, removed: 4 }, resealed: 1, agree: false },
  ])('$said with $resealed sealed anew: $agree', ({ said, resealed, agree }) => {
    expect(countsAgree(said, previewed, resealed)).toBe(agree)
  })
})
