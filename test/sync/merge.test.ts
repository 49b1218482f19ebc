import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeRow } from '../../electron/sync/merge.ts'
import { sealed } from '../queue/a-change.ts'

interface Row {
  name?: string
  value?: ReturnType<typeof sealed>
  isSecret?: boolean
}

const base: Row = { name: 'A', value: sealed('1'), isSecret: false }

describe('mergeRow', () => {
  test.each<{ says: string; base: Row | null; mine: Row | null; theirs: Row | null; row: Row | null; conflicts: string[] }>([
    { says: 'nobody changed anything', base, mine: base, theirs: base, row: base, conflicts: [] },
    { says: 'only I changed a field', base, mine: { ...base, name: 'B' }, theirs: base, row: { ...base, name: 'B' }, conflicts: [] },
    { says: 'only they changed a field', base, mine: base, theirs: { ...base, name: 'B' }, row: { ...base, name: 'B' }, conflicts: [] },
    {
      says: 'we changed different fields',
      base,
      mine: { ...base, name: 'B' },
      theirs: { ...base, isSecret: true },
      row: { ...base, name: 'B', isSecret: true },
      conflicts: [],
    },
    {
      says: 'both typed the same value, sealed with other bytes: theirs are kept',
      base,
      mine: { ...base, value: sealed('2', 1) },
      theirs: { ...base, value: sealed('2', 2) },
      row: { ...base, value: sealed('2', 2) },
      conflicts: [],
    },
    {
      says: 'both changed one field to something else: the row keeps mine',
      base,
      mine: { ...base, value: sealed('2') },
      theirs: { ...base, value: sealed('3') },
      row: { ...base, value: sealed('2') },
      conflicts: ['value'],
    },
    {
      says: 'they resealed the same value while I changed it',
      base,
      mine: { ...base, value: sealed('2') },
      theirs: { ...base, value: sealed('1', 9) },
      row: { ...base, value: sealed('2') },
      conflicts: [],
    },
    {
      says: 'the service never said a field: mine stands',
      base: { name: 'A' },
      mine: { name: 'A', isSecret: true },
      theirs: { name: 'A' },
      row: { name: 'A', isSecret: true },
      conflicts: [],
    },
    {
      says: 'a field I never knew comes',
      base: { name: 'A' },
      mine: { name: 'A' },
      theirs: { name: 'A', isSecret: true },
      row: { name: 'A', isSecret: true },
      conflicts: [],
    },
    { says: 'both deleted it', base, mine: null, theirs: null, row: null, conflicts: [] },
    { says: 'I deleted what they left alone', base, mine: null, theirs: base, row: null, conflicts: [] },
    { says: 'they deleted what I left alone', base, mine: base, theirs: null, row: null, conflicts: [] },
    {
      says: 'they deleted what I changed',
      base,
      mine: { ...base, name: 'B' },
      theirs: null,
      row: { ...base, name: 'B' },
      conflicts: ['row'],
    },
    { says: 'I deleted what they changed', base, mine: null, theirs: { ...base, name: 'B' }, row: null, conflicts: ['row'] },
    { says: 'only I created it', base: null, mine: base, theirs: null, row: base, conflicts: [] },
    { says: 'only they created it', base: null, mine: null, theirs: base, row: base, conflicts: [] },
    { says: 'both created the same', base: null, mine: base, theirs: base, row: base, conflicts: [] },
    {
      says: 'both created it, with another value',
      base: null,
      mine: base,
      theirs: { ...base, value: sealed('2') },
      row: base,
      conflicts: ['value'],
    },
  ])('$says', ({ base: was, mine, theirs, row, conflicts }) => {
    const merged = mergeRow(was, mine, theirs)
    expect(merged.row).toEqual(row)
    expect(merged.conflicts.map(({ field }) => field)).toEqual(conflicts)
  })

  test('a conflict shows what was, mine and theirs', () => {
    expect(mergeRow({ n: 1 }, { n: 2 }, { n: 3 }).conflicts).toEqual([{ field: 'n', was: 1, mine: 2, theirs: 3 }])
  })
})

const anyRow = fc.record({ a: fc.integer({ min: 0, max: 2 }), b: fc.integer({ min: 0, max: 2 }), c: fc.integer({ min: 0, max: 2 }) })

describe('mergeRow, for any three rows', () => {
  test('a side that changed nothing leaves the other as it is', () => {
    fc.assert(
      fc.property(anyRow, anyRow, (was, changed) => {
        expect(mergeRow(was, was, changed)).toEqual({ row: changed, conflicts: [] })
        expect(mergeRow(was, changed, was)).toEqual({ row: changed, conflicts: [] })
      }),
    )
  })

  test('both sides see the same conflicts, and the same row where there is none', () => {
    fc.assert(
      fc.property(anyRow, anyRow, anyRow, (was, mine, theirs) => {
        const [here, there] = [mergeRow(was, mine, theirs), mergeRow(was, theirs, mine)]
        expect(here.conflicts.map(({ field }) => field)).toEqual(there.conflicts.map(({ field }) => field))
        if (here.conflicts.length === 0) expect(here.row).toEqual(there.row)
      }),
    )
  })

  test('a merged row merges no further: merging it again changes nothing', () => {
    fc.assert(
      fc.property(anyRow, anyRow, anyRow, (was, mine, theirs) => {
        const { row } = mergeRow(was, mine, theirs)
        expect(mergeRow(theirs, row, theirs).row).toEqual(row)
      }),
    )
  })

  test('no field of mine is lost without a conflict or an equal outcome', () => {
    fc.assert(
      fc.property(anyRow, anyRow, anyRow, (was, mine, theirs) => {
        const merged = mergeRow(was, mine, theirs)
        for (const field of ['a', 'b', 'c'] as const) if (mine[field] !== was[field]) expect(merged.row?.[field]).toBe(mine[field])
      }),
    )
  })
})
