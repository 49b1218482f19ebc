import { variableNameProblem } from '../../../service/protocol/names.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { optionsOf, planEntry, prepareEntry, type ImportArgs } from '../../../electron/app/imports/plan-import.ts'
import { createWorkspaceCipher } from '../../../electron/cipher/workspace-cipher.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from './offline-desk.ts'
import { asShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'

let desk: OfflineDesk
let environmentId = ''
beforeEach(async () => {
  desk = createOfflineDesk()
  const [id = ''] = await desk.environments('Production')
  environmentId = id
})
afterEach(() => desk.close())

type More = Partial<ImportArgs>
const preview = (text: string, more: More = {}) => desk.handlers['import.preview']({ workspaceId, environmentId, text, ...more })
const apply = (text: string, more: More & { names?: string[] } = {}) =>
  desk.handlers['import.apply']({ seen: asShown, workspaceId, environmentId, text, ...more })
const status = async (text: string, more?: More) =>
  (await valueOf(preview(text, more))).lines.map((line) => [line.name, line.status, line.isSecret, line.type])

describe('a preview', () => {
  test.each([
    [
      'env',
      'PORT=1\nTOKEN=x\n',
      [
        ['PORT', 'added', false, 'string'],
        ['TOKEN', 'added', true, 'string'],
      ],
    ],
    [
      'json',
      '{"PORT": 1, "db": {"on": true}}',
      [
        ['PORT', 'added', false, 'number'],
        ['db__on', 'added', false, 'boolean'],
      ],
    ],
    [
      'yaml',
      'PORT: 1\ndb:\n  on: true\n',
      [
        ['PORT', 'added', false, 'number'],
        ['db__on', 'added', false, 'boolean'],
      ],
    ],
  ] as const)('tells %s by itself, and types where the text has them', async (format, text, lines) => {
    expect((await valueOf(preview(text))).format).toBe(format)
    expect(await status(text)).toEqual(lines)
    expect(await status(text, { format })).toEqual(lines)
  })

  test('compares with what is there, by value, type and secret mark', async () => {
    await desk.add(environmentId, 'SAME', '1', { type: 'number' })
    await desk.add(environmentId, 'VALUE', '1')
    await desk.add(environmentId, 'TYPE', '1')
    await desk.add(environmentId, 'MARK', '1')
    await desk.add(environmentId, 'LEFT', '1')
    const read = await valueOf(
      preview('{"SAME": 1, "VALUE": "2", "TYPE": 1, "MARK": "1", "NEW": "x", "a/b": "x"}', {
        mode: 'replace',
        secretNames: [
          { name: 'MARK', isSecret: true },
          { name: 'NEW', isSecret: true },
        ],
      }),
    )
    expect(read.lines.map(({ name, status: each, reason, isSecret, type }) => [name, each, reason, isSecret, type])).toEqual([
      ['SAME', 'unchanged', null, false, 'number'],
      ['VALUE', 'changed', null, false, 'string'],
      ['TYPE', 'changed', 'Same value, type changes to number.', false, 'number'],
      ['MARK', 'changed', 'Same value, marked as secret.', true, 'string'],
      ['NEW', 'added', null, true, 'string'],
      ['a/b', 'invalid', variableNameProblem('a/b'), false, 'string'],
      ['LEFT', 'removed', null, false, 'string'],
    ])
    expect(read).toMatchObject({ added: 1, changed: 3, unchanged: 1, invalid: 1, removed: 1 })
  })

  test('masks a variable whose secrecy is unknown, unless the user says that it is no secret', () => {
    const cipher = createWorkspaceCipher(Buffer.alloc(32, 7))
    const existing = { id: '1', kind: 'variable' as const, parentId: environmentId, fields: { name: 'PORT', value: cipher.seal('1') } }
    const entry = prepareEntry({ line: 1, name: 'PORT', value: '2', type: null, note: null, overridden: false, warnings: [] }, cipher)
    const plan = (args: object) => planEntry(entry, existing, optionsOf({ workspaceId, environmentId, text: '', ...args }), cipher.keyId)
    expect(plan({})).toMatchObject({ status: 'changed', isSecret: true })
    expect(plan({ secretNames: [{ name: 'PORT', isSecret: false }] })).toMatchObject({ status: 'changed', isSecret: false })
  })

  test('in replace mode removes nothing that is kept or stands in a line with a mistake', async () => {
    await desk.add(environmentId, 'KEPT', '1')
    await desk.add(environmentId, 'ODD', '1')
    expect(await status('ODD=1\nODD=2', { mode: 'replace', keepNames: ['KEPT'] })).toEqual([
      ['ODD', 'overridden', false, 'string'],
      ['ODD', 'changed', false, 'string'],
    ])
  })

  test.each([
    ['a JSON list', '{"A": "1", "HOSTS": ["a", "b"]}', 'HOSTS'],
    ['a YAML tag', 'A: 1\nHOSTS: !custom x', 'HOSTS'],
    ['an empty YAML group', 'A: 1\nHOSTS: {}', 'HOSTS'],
    ['a .env line without =', 'A=1\nDATABASE_URL postgres://x', 'DATABASE_URL'],
    ['a .env line with export and without =', 'A=1\nexport DATABASE_URL', 'DATABASE_URL'],
    ['a .env line with a name that it can’t have', 'A=1\nMY VAR=2', 'MY VAR'],
  ])('in replace mode does not remove the variable of %s', async (_, text, name) => {
    await desk.add(environmentId, name, '1')
    const lines = await status(text, { mode: 'replace' })
    expect(lines.map(([, each]) => each)).toContain('invalid')
    expect(lines.map(([, each]) => each)).not.toContain('removed')
  })

  test('in replace mode makes a variable whose name was edited as secret as it was, and of its type', async () => {
    await desk.add(environmentId, 'STRIPE_LIVE', 'sk_live_4711', { isSecret: true })
    await desk.add(environmentId, 'PORT', '80', { type: 'number' })
    await desk.add(environmentId, 'SALT', 'x')
    const { text, rev } = await valueOf(desk.handlers['text.read']({ workspaceId, environmentId }))
    const edited = text.replace('STRIPE_LIVE', 'STRIPE_PROD').replace('PORT', 'HTTP_PORT').replace('SALT', 'API_TOKEN')
    const made = [
      ['STRIPE_PROD', true, 'string'],
      ['HTTP_PORT', false, 'number'],
      ['API_TOKEN', true, 'string'],
    ]
    const lines = await status(edited, { format: 'env', mode: 'replace' })
    const added = lines.flatMap(([name, each, ...rest]) => (each === 'added' ? [[name, ...rest]] : []))
    expect(added).toEqual(expect.arrayContaining(made))
    await valueOf(desk.handlers['import.apply']({ workspaceId, environmentId, text: edited, format: 'env', mode: 'replace', seen: rev }))
    const { rows } = await valueOf(desk.handlers['variables.page']({ workspaceId, environmentId, filter: '', offset: 0, limit: 10 }))
    expect(rows.map(({ name, isSecret, type }) => [name, isSecret, type])).toEqual(expect.arrayContaining(made))
  })

  test.each([
    ['half a JSON', '{"A": ', 'auto', 'invalid-input', 'isn’t valid JSON'],
    ['a list', '[1]', 'auto', 'invalid-input', 'isn’t an object'],
    ['YAML out of place', 'A: "x', 'yaml', 'invalid-input', 'isn’t valid YAML'],
    ['a binary', 'A=\0', 'auto', 'not-text', 'isn’t a text file'],
    ['six megabytes', 'A'.repeat(6 * 1024 * 1024), 'auto', 'too-large', '5 MiB'],
    ['a million entries', 'A=\n'.repeat(1_000_000), 'auto', 'invalid-input', '100,000 entries'],
  ] as const)('of %s is refused with a sentence', async (_, text, format, kind, sentence) => {
    expect(await preview(text, { format })).toMatchObject({ ok: false, error: { kind, message: expect.stringContaining(sentence) } })
  })

  test.each([
    ['json', '{"A": "\\ud83d", "B": "1"}'],
    ['json', '{"A": {"\\udc00": "x"}, "B": "1"}'],
    ['yaml', 'A: "\\ud83d"\nB: "1"'],
  ] as const)('of %s tells of half a character, which would be saved as another one: %s', async (format, text) => {
    const { invalid, added } = await valueOf(preview(text, { format }))
    expect({ invalid, added }).toEqual({ invalid: 1, added: 1 })
    await valueOf(apply(text, { format }))
    expect(await desk.read(environmentId)).toEqual({ B: '1' })
  })

  test('needs the keys', async () => {
    desk.keys.cipher = null
    expect(await preview('A=1')).toMatchObject({ ok: false, error: { kind: 'keys-locked' } })
  })
})

describe('an import', () => {
  test('adds, changes and removes what the preview said, as one step of undo', async () => {
    await desk.add(environmentId, 'A', '1')
    await desk.add(environmentId, 'B', '2')
    const before = await desk.read(environmentId)
    expect(await valueOf(apply('{"A": 9, "C": true}', { mode: 'replace' }))).toEqual({
      added: 1,
      changed: 1,
      renamed: 0,
      unchanged: 0,
      removed: 1,
    })
    expect(await desk.read(environmentId)).toEqual({ A: '9', C: 'true' })
    const { rows } = await valueOf(desk.handlers['variables.page']({ workspaceId, environmentId, filter: '', offset: 0, limit: 10 }))
    expect(rows.map(({ name, type }) => [name, type])).toEqual([
      ['A', 'number'],
      ['C', 'boolean'],
    ])
    expect(await valueOf(desk.handlers['undo.status']({ workspaceId }))).toMatchObject({ undo: 'Import 3 variables', redo: null })
    await valueOf(desk.handlers['undo.undo']({ workspaceId }))
    expect(await desk.read(environmentId)).toEqual(before)
  })

  test('takes only the names asked for', async () => {
    await desk.add(environmentId, 'GONE', '1')
    expect(await valueOf(apply('A=1\nB=2', { mode: 'replace', names: ['B'] }))).toEqual({
      added: 1,
      changed: 0,
      renamed: 0,
      unchanged: 0,
      removed: 0,
    })
    expect(await desk.read(environmentId)).toEqual({ B: '2', GONE: '1' })
  })

  const many = (count: number, value = 'x') => Array.from({ length: count }, (_, n) => `NAME_${n}=${value}`).join('\n')

  test('of thousands is saved in parts, tells how far it is, and is one step of undo all the same', async () => {
    const text = many(3500)
    const stages = new Set<string>()
    const applied = apply(text, { token: 't' })
    let turns = 0
    let isOver = false
    void applied.finally(() => (isOver = true))
    while (!isOver) {
      turns += 1
      const progress = await valueOf(desk.handlers['import.progress']({ token: 't' }))
      if (progress !== null) stages.add(progress.stage)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await valueOf(applied)).toEqual({ added: 3500, changed: 0, renamed: 0, unchanged: 0, removed: 0 })
    expect(turns).toBeGreaterThan(5)
    expect(stages).toContain('saving')
    expect(desk.pushes).toContainEqual({ push: 'changed', workspaceId: null, tables: ['imports'] })
    expect(await valueOf(desk.handlers['import.progress']({ token: 't' }))).toBeNull()
    expect((await valueOf(desk.handlers['undo.status']({ workspaceId }))).undo).toBe('Import 3,500 variables')
    await valueOf(desk.handlers['undo.undo']({ workspaceId }))
    expect(await desk.read(environmentId)).toEqual({})
  })

  test('that is cancelled half-way takes back what it did', async () => {
    await desk.add(environmentId, 'NAME_0', 'old')
    await desk.add(environmentId, 'OTHER', '1')
    const before = await desk.read(environmentId)
    const applied = apply(many(3000), { token: 't', mode: 'replace' })
    for (;;) {
      const progress = await valueOf(desk.handlers['import.progress']({ token: 't' }))
      if (progress?.stage === 'saving') break
      await new Promise((resolve) => setImmediate(resolve))
    }
    await valueOf(desk.handlers['import.cancel']({ token: 't' }))
    expect(await applied).toMatchObject({ ok: false, error: { kind: 'cancelled' } })
    expect(await desk.read(environmentId)).toEqual(before)
    expect((await valueOf(desk.handlers['undo.status']({ workspaceId }))).undo).not.toContain('Import')
  })

  test('whose keys are locked half-way takes back what it did', async () => {
    const applied = apply(many(3000), { token: 't' })
    for (;;) {
      const progress = await valueOf(desk.handlers['import.progress']({ token: 't' }))
      if (progress?.stage === 'saving') break
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { cipher } = desk.keys
    desk.keys.cipher = null
    expect(await applied).toMatchObject({ ok: false, error: { kind: 'keys-locked' } })
    desk.keys.cipher = cipher
    expect(await desk.read(environmentId)).toEqual({})
  })

  test('of a large text is read aside, and the reading can be cancelled', async () => {
    const previewed = preview(many(60_000, 'some words in each value'), { token: 't' })
    await new Promise((resolve) => setTimeout(resolve, 5))
    await valueOf(desk.handlers['import.cancel']({ token: 't' }))
    expect(await previewed).toMatchObject({ ok: false, error: { kind: 'cancelled' } })
    expect((await valueOf(preview(many(6000, 'some words in each value')))).added).toBe(6000)
    expect(await preview(`{"A": "${'x'.repeat(200_000)}"`)).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
  })
})

test('a long replacing import leaves alone what somebody gave another value after it was shown', async () => {
  for (let n = 0; n < 700; n += 1) await desk.add(environmentId, `N_${String(n).padStart(3, '0')}`, '1')
  const last = await desk.add(environmentId, 'Z_LAST', '1')
  const token = 'long'
  const applying = apply('NEW=1', { mode: 'replace', token })
  for (;;) {
    const progress = await valueOf(desk.handlers['import.progress']({ token }))
    if (progress?.stage === 'saving' && progress.done > 0) break
    await new Promise((resolve) => setImmediate(resolve))
  }
  await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: last, value: 'typed meanwhile' }))
  expect(await valueOf(applying)).toMatchObject({ added: 1, removed: 700 })
  expect(await desk.read(environmentId)).toEqual({ NEW: '1', Z_LAST: 'typed meanwhile' })
})

describe('the values in a preview', () => {
  const sides = async (text: string, more?: More) =>
    (await valueOf(preview(text, more))).lines.map((line) => [line.name, line.id !== null, line.value, line.warnings])

  test('are those the text gives where a value changes, with the variable that has the old one', async () => {
    await desk.add(environmentId, 'SAME', '1')
    await desk.add(environmentId, 'OTHER', '1')
    await desk.add(environmentId, 'TYPED', '1')
    await desk.add(environmentId, 'LEFT', '1')
    expect(await sides('{"SAME": "1", "OTHER": "2", "TYPED": 1, "NEW": "x"}', { mode: 'replace' })).toEqual([
      ['SAME', true, null, []],
      ['OTHER', true, '2', []],
      ['TYPED', true, null, []],
      ['NEW', false, 'x', []],
      ['LEFT', true, null, []],
    ])
  })

  test('are cut after 500 characters, and come with the warnings of their line', async () => {
    expect(await sides(`LONG=${'x'.repeat(600)}\nCUT=abc#def\nOPEN="abc\n`)).toEqual([
      ['LONG', false, 'x'.repeat(500), []],
      ['CUT', false, 'abc', ['cut-at-hash']],
      ['OPEN', false, '"abc', ['open-quote']],
    ])
  })
})
