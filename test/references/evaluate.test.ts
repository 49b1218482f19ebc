import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { depthLimit, evaluate, sizeLimit, type Book, type Entry } from '../../electron/references/evaluate.ts'
import { outlineOf } from '../../electron/references/parse-value.ts'
import { seed, seeded } from '../cipher/seeded.ts'

/** Variables of one environment by name; null: unreadable. Names that begin with `S` are secrets. */
const bookOf = (values: Record<string, string | null>): Book & { all: Entry[]; open: (id: string) => string | null } => {
  const entries = new Map(
    Object.entries(values).map(([name, value]): [string, Entry] => [
      name,
      { id: `id-${name}`, name, scope: 'here', isSecret: name.startsWith('S'), outline: value === null ? null : outlineOf(value) },
    ]),
  )
  return { all: [...entries.values()], find: (_, source) => entries.get(source) ?? null, open: (id) => values[id.slice(3)] ?? null }
}

const look = (values: Record<string, string | null>, name: string) => {
  const book = bookOf(values)
  const root = book.find('here', name)
  if (root === null) throw new Error(name)
  const evaluation = evaluate([root], book)
  const { kinds, isSecret, isTooLarge } = evaluation.verdictOf(root.id)
  const text = evaluation.texts(book.open).get(root.id) ?? null
  return { text, kinds: [...kinds], isSecret, isTooLarge, problems: evaluation.problemsOf(root.id) }
}

describe('one variable', () => {
  test.each<[string, Record<string, string | null>, string | null, { kind: string; path: string[] }[]]>([
    ['without references', { A: 'x' }, 'x', []],
    ['with an escape', { A: '$${B}' }, '${B}', []],
    ['with references to references', { A: '<${B}>', B: '${C}${C}', C: 'c' }, '<cc>', []],
    ['of a reference in text that is put in', { A: '${B}', B: '$${C}', C: 'c' }, '${C}', []],
    ['that misses one', { A: '${X}-${B}', B: 'b' }, '${X}-b', [{ kind: 'missing', path: ['A', 'X'] }]],
    ['that misses one further on', { A: '${B}', B: '${X}${X}' }, '${X}${X}', [{ kind: 'missing', path: ['A', 'B', 'X'] }]],
    ['that means itself', { A: 'a${A}' }, 'a${A}', [{ kind: 'circular', path: ['A', 'A'] }]],
    ['in a circle', { A: '${B}', B: '${C}', C: '${A}' }, '${B}', [{ kind: 'circular', path: ['A', 'B', 'C', 'A'] }]],
    ['above a circle', { A: 'x${B}', B: '${C}', C: '${B}' }, 'x${B}', [{ kind: 'circular', path: ['A', 'B', 'C', 'B'] }]],
    ['of what cannot be read', { A: '${B}', B: null }, '${B}', [{ kind: 'unreadable', path: ['A', 'B'] }]],
    ['that cannot be read', { A: null }, null, [{ kind: 'unreadable', path: ['A'] }]],
    [
      'with several problems',
      { A: '${X}${B}${C}', B: '${A}', C: null },
      '${X}${B}${C}',
      [
        { kind: 'missing', path: ['A', 'X'] },
        { kind: 'circular', path: ['A', 'B', 'A'] },
        { kind: 'unreadable', path: ['A', 'C'] },
      ],
    ],
  ])('%s', (_, values, text, problems) => {
    const found = look(values, 'A')
    expect(found.text).toBe(text)
    expect(found.problems).toEqual(problems)
    expect(new Set(found.kinds)).toEqual(new Set(problems.map(({ kind }) => kind)))
  })

  test('is a secret as soon as one is put into it, however far below', () => {
    const values = { A: '${B}', B: '${S}', S: 's', C: '${X}', D: '$${S}' }
    expect(['A', 'B', 'S', 'C', 'D'].map((name) => look(values, name).isSecret)).toEqual([true, true, true, false, false])
  })
})

describe('bounds', () => {
  const doubling = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`A${n}`, n === 0 ? 'x' : `\${A${n - 1}}\${A${n - 1}}`]))
  const chain = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`A${n}`, n === 0 ? 'x' : `\${A${n - 1}}`]))
  const circle = { ...chain, A0: '${A99999}' }

  test('texts that double at each step stop at the size limit', () => {
    expect(look(doubling, 'A19')).toMatchObject({ text: 'x'.repeat(2 ** 19), problems: [] })
    expect(look(doubling, 'A20')).toMatchObject({ text: null, isTooLarge: true, problems: [{ kind: 'too-large', path: ['A20'] }] })
    expect(look(doubling, 'A21')).toMatchObject({
      text: '${A20}${A20}',
      isTooLarge: false,
      problems: [{ kind: 'too-large', path: ['A21', 'A20'] }],
    })
    expect(2 ** 20).toBeGreaterThan(sizeLimit)
  })

  test('a chain stops at the depth limit, the same for each link whoever asks', () => {
    expect(look(chain, `A${depthLimit - 1}`)).toMatchObject({ text: 'x', problems: [] })
    expect(look(chain, `A${depthLimit}`)).toMatchObject({ isTooLarge: true, text: null })
    const book = bookOf(chain)
    const evaluation = evaluate(book.all, book)
    expect(evaluation.verdictOf(`id-A${depthLimit - 1}`).kinds.size).toBe(0)
    expect(evaluation.verdictOf('id-A99999').kinds).toEqual(new Set(['too-large']))
  })

  test('a circle of a hundred thousand is told', () => {
    const { kinds, problems } = look(circle, 'A99999')
    expect(kinds).toEqual(['circular'])
    expect(problems).toHaveLength(1)
    expect(problems[0]?.path.slice(0, 2)).toEqual(['A99999', 'A99998'])
    expect(problems[0]?.path.slice(-2)).toEqual(['…', 'A99999'])
  })

  test('a hundred thousand references to as many variables are followed once each', () => {
    const names = Array.from({ length: 100_000 }, (_, n) => `V${n}`)
    const values = { ...Object.fromEntries(names.map((name) => [name, 'x'])), A: names.map((name) => `\${${name}}`).join('') }
    expect(look(values, 'A').text).toBe('x'.repeat(100_000))
  })
})

describe('any variables at all', () => {
  const name = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'S', 'X')
  const value = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .array(
          fc.oneof(
            name.map((each) => `\${${each}}`),
            fc.constantFrom('x', '$${A}', '-'),
          ),
          { maxLength: 4 },
        )
        .map((parts) => parts.join('')),
    },
    { weight: 1, arbitrary: fc.constant(null) },
  )
  const values = fc.dictionary(fc.constantFrom('A', 'B', 'C', 'D', 'E', 'S'), value, { noNullPrototype: true })

  /** The plain definition, exponential and all: a text, or what is wrong. */
  const naive = (
    all: Record<string, string | null>,
    start: string,
    above: readonly string[] = [],
  ): { text: string; kinds: Set<string> } => {
    const typed = all[start]
    if (typed === null || typed === undefined) return { text: '', kinds: new Set(['unreadable']) }
    const kinds = new Set<string>()
    const text = typed.replaceAll(/\$\$\{|\$\{(\w+)\}/g, (whole, source: string | undefined) => {
      if (source === undefined) return '${'
      if (!Object.hasOwn(all, source)) {
        kinds.add('missing')
        return whole
      }
      if ([...above, start].includes(source)) {
        kinds.add('circular')
        return whole
      }
      const below = naive(all, source, [...above, start])
      for (const kind of below.kinds) kinds.add(kind)
      return below.kinds.has('circular') || all[source] === null ? whole : below.text
    })
    return { text, kinds }
  }

  test(seeded('come out as the definition says, whichever are asked together'), () => {
    fc.assert(
      fc.property(values, (all) => {
        const book = bookOf(all)
        const together = evaluate(book.all, book)
        const texts = together.texts(book.open)
        for (const entry of book.all) {
          const alone = evaluate([entry], book)
          expect(alone.verdictOf(entry.id)).toEqual(together.verdictOf(entry.id))
          expect(alone.texts(book.open).get(entry.id)).toBe(texts.get(entry.id))
          const expected = naive(all, entry.name)
          const { kinds } = together.verdictOf(entry.id)
          expect(kinds.has('circular')).toBe(expected.kinds.has('circular'))
          expect(kinds.size > 0).toBe(expected.kinds.size > 0)
          if (!expected.kinds.has('circular') && all[entry.name] !== null) {
            expect(texts.get(entry.id)).toBe(expected.text)
            expect(kinds).toEqual(expected.kinds)
          }
          const problems = together.problemsOf(entry.id)
          expect(problems.length > 0).toBe(kinds.size > 0)
          for (const { kind, path } of problems) {
            expect(path[0]).toBe(entry.name)
            for (const [index, source] of path.slice(1).entries()) expect(all[path[index] ?? '']).toContain(`\${${source}}`)
            const end = path.at(-1) ?? ''
            if (kind === 'missing') expect(Object.hasOwn(all, end)).toBe(false)
            if (kind === 'unreadable') expect(all[end]).toBeNull()
            if (kind === 'circular') expect(path.slice(0, -1)).toContain(end)
          }
        }
      }),
      { seed, numRuns: 5000 },
    )
  })
})
