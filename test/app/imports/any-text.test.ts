import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findRenames, reviewLines } from '../../../src/domain/text-parts.ts'
import { seed, seeded } from '../../cipher/seeded.ts'
import { asShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from './offline-desk.ts'

const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
/** Some are equal, and some say little. */
const value = fc.constantFrom('true', '1', '', 'postgres://one', 'postgres://two', 'a long value', 'another value')
const variables = fc.uniqueArray(fc.record({ name: fc.constantFrom(...names), value, isSecret: fc.boolean() }), {
  selector: ({ name }) => name,
  minLength: 1,
})
/** What is done to the lines of a text, each at the place of one of them. */
const edit = fc.record({
  what: fc.constantFrom('rename', 'change', 'rename and change', 'delete', 'add', 'move', 'garble'),
  at: fc.nat(20),
  to: fc.nat(20),
  name: fc.constantFrom('A', 'B', 'V', 'W', 'X', 'Y', 'Z'),
  value,
})
type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never
interface Line {
  name: string
  value: string
  isBad?: boolean
}

function edited(lines: readonly Line[], { what, at, to, name, value: next }: Edit): Line[] {
  const place = at % Math.max(lines.length, 1)
  const line = lines[place]
  if (what === 'add' || line === undefined) return lines.toSpliced(place, 0, { name, value: next })
  if (what === 'delete') return lines.toSpliced(place, 1)
  if (what === 'move') return lines.toSpliced(place, 1).toSpliced(to % lines.length, 0, line)
  if (what === 'garble') return lines.with(place, { ...line, isBad: true })
  return lines.with(place, { name: what === 'change' ? line.name : name, value: what === 'rename' ? line.value : next })
}

const written = (lines: readonly Line[]) =>
  lines.map(({ name, value: text, isBad }) => `${isBad ? 'not a ' : ''}${name}='${text}'\n`).join('')

/** The variables of the environment by their ids. */
async function shown(desk: OfflineDesk, environmentId: string) {
  const { rows } = await valueOf(desk.handlers['variables.page']({ workspaceId, environmentId, filter: '', offset: 0, limit: 50 }))
  const values = await desk.read(environmentId)
  return new Map(rows.map(({ id, name, isSecret }) => [id, { name, isSecret, value: values[name] }]))
}

/** Saves a text as its dialog does, and returns what the review said. */
async function save(desk: OfflineDesk, environmentId: string, draft: string) {
  const { text: base } = await valueOf(desk.handlers['text.read']({ workspaceId, environmentId }))
  const args = (text: string) => ({ workspaceId, environmentId, text, format: 'env' as const, mode: 'replace' as const })
  const [since, preview] = [
    await valueOf(desk.handlers['import.preview'](args(base))),
    await valueOf(desk.handlers['import.preview'](args(draft))),
  ]
  const found = findRenames({ text: base, lines: since.lines }, { text: draft, lines: preview.lines }, preview.renames)
  const lines = reviewLines(preview.lines, found)
  const changes = lines.filter(({ status }) => ['added', 'changed', 'renamed', 'removed'].includes(status)).map(({ name }) => name)
  const renames = [...found.renames.values()]
  const applied = await valueOf(desk.handlers['import.apply']({ ...args(draft), seen: asShown, names: changes, renames, asText: true }))
  return { lines, applied }
}

test(seeded('any text, however it was edited, is saved as it says and as its review says, and undone as one'), async () => {
  await fc.assert(
    fc.asyncProperty(variables, fc.array(edit, { minLength: 1, maxLength: 6 }), async (present, edits) => {
      const desk = createOfflineDesk()
      try {
        const [environmentId = ''] = await desk.environments('Production')
        for (const { name, value: text, isSecret } of present) await desk.add(environmentId, name, text, { isSecret })
        const before = await shown(desk, environmentId)
        const inOrder = present.toSorted((a, b) => (a.name < b.name ? -1 : 1))
        const lines = edits.reduce<Line[]>(edited, inOrder)
        const { lines: review, applied } = await save(desk, environmentId, written(lines))

        const after = await shown(desk, environmentId)
        const texts = new Map(lines.filter(({ isBad }) => !isBad).map((line) => [line.name, line.value]))
        const was = new Map(present.map((one) => [one.name, one]))
        // Names in lines that can't be read stay too.
        const stays = [...was.keys()].filter(
          (name) => !texts.has(name) && !review.some((line) => line.name === name && line.status === 'removed'),
        )
        const left = stays.filter((name) => !review.some(({ from }) => from === name))
        const expected = new Map([...left.map((name) => [name, was.get(name)?.value] as const), ...texts])
        expect(new Map([...after.values()].map((row) => [row.name, row.value]))).toEqual(expected)

        const idOf = (rows: typeof before, name: string) => [...rows].find(([, row]) => row.name === name)?.[0]
        const renamed = review.filter(({ status }) => status === 'renamed')
        for (const { from = '', name, isSecret } of renamed) {
          expect(idOf(after, name)).toBe(idOf(before, from))
          expect([...after.values()].find((row) => row.name === name)?.isSecret).toBe(isSecret)
        }
        for (const name of was.keys()) if (expected.has(name)) expect(idOf(after, name)).toBe(idOf(before, name))
        expect(applied.renamed).toBe(renamed.length)
        // A line that can't be read deletes nothing by itself.
        if (lines.some(({ isBad }) => isBad) && lines.length === present.length && edits.every(({ what }) => what === 'garble'))
          expect(after).toEqual(before)

        if (applied.added + applied.changed + applied.renamed + applied.removed === 0) return
        await valueOf(desk.handlers['undo.undo']({ workspaceId }))
        expect(await shown(desk, environmentId)).toEqual(before)
      } finally {
        desk.close()
      }
    }),
    { seed, numRuns: 60 },
  )
})
