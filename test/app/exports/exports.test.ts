import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { exportInSlices } from '../../../electron/app/exports/export-in-slices.ts'
import { ok } from '../../../electron/bridge/result.ts'
import type { ExportFormat } from '../../../electron/bridge/rows.ts'
import { exportText } from '../../../electron/transfer/export/export-text.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from '../imports/offline-desk.ts'
import { asShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'

let desk: OfflineDesk
let production = ''
let staging = ''
beforeEach(async () => {
  desk = createOfflineDesk()
  const [first = '', second = ''] = await desk.environments('Production', 'Staging')
  production = first
  staging = second
})
afterEach(() => desk.close())

const exported = (format: ExportFormat, more: { reveal?: boolean; resolve?: boolean; names?: string[] } = {}) =>
  valueOf(
    desk.handlers['export.text']({
      workspaceId,
      environmentId: production,
      format,
      reveal: more.reveal ?? true,
      resolve: more.resolve ?? false,
      ...(more.names && { names: more.names }),
    }),
  )

describe('an export', () => {
  test('is in the order of the names, and named after project and environment', async () => {
    await desk.add(production, 'B', '2', { type: 'number' })
    await desk.add(production, 'A', 'x y')
    expect(await exported('env')).toEqual({ text: "A='x y'\nB=2\n", fileName: 'shop-production.env', refused: [], notes: [] })
    expect((await exported('kubernetes')).fileName).toBe('shop-production-secret.yaml')
    expect((await exported('json', { names: ['B'] })).text).toBe('{\n  "B": 2\n}\n')
  })

  test('names what was asked for and was deleted or renamed meanwhile', async () => {
    await desk.add(production, 'A', 'x')
    const refused = [{ name: 'GONE', reason: 'It’s no longer in this environment.' }]
    expect(await exported('env', { names: ['A', 'GONE'] })).toMatchObject({ text: 'A=x\n', refused })
  })

  test('has the order of the table: regardless of case, numbers by their size', async () => {
    for (const name of ['KEY_10', 'b', 'key_9', 'A']) await desk.add(production, name, 'x')
    expect((await exported('env')).text).toBe('A=x\nb=x\nkey_9=x\nKEY_10=x\n')
    const refused = valueOf(desk.handlers['text.read']({ workspaceId, environmentId: production }))
    expect((await refused).text).toBe('A=x\nb=x\nkey_9=x\nKEY_10=x\n')
  })

  test.each<ExportFormat>(['env', 'json', 'yaml', 'shell', 'docker', 'kubernetes'])(
    'as %s shows no value without reveal',
    async (format) => {
      await desk.add(production, 'TOKEN', 'sentinel-4711', { isSecret: true })
      const { text } = await exported(format, { reveal: false })
      expect(text).toContain('TOKEN')
      expect(text).toContain('•')
      expect(text).not.toMatch(/4711|c2VudGlu/)
    },
  )

  test('without reveal shows what is known to be no secret, and nothing that a secret was put into', async () => {
    await desk.add(production, 'PORT', '80')
    await desk.add(production, 'TOKEN', 'sentinel-4711', { isSecret: true })
    await desk.add(production, 'URL', 'http://${TOKEN}@host')
    const dots = '•'.repeat(8)
    expect((await exported('env', { reveal: false, resolve: true })).text).toBe(`PORT=80\nTOKEN='${dots}'\nURL='${dots}'\n`)
    expect((await exported('kubernetes', { reveal: false, resolve: true })).text).toContain(`"PORT": "ODA="\n  "TOKEN": "${dots}"`)
    expect((await exported('env', { reveal: false })).text).toContain("URL='http://${TOKEN}@host'")
  })

  test('refuses by name, masked or not', async () => {
    await desk.add(production, 'LINES', 'a\nb')
    await desk.add(production, 'PLAIN', 'x')
    const refused = [{ name: 'LINES', reason: expect.stringContaining('line break') }]
    expect(await exported('docker')).toMatchObject({ text: 'PLAIN=x\n', refused })
    expect(await exported('docker', { reveal: false })).toMatchObject({ refused })
  })

  test('that resolves references writes $${ as ${ in every value', async () => {
    await desk.add(production, 'HOST', 'shop')
    await desk.add(production, 'ESCAPED', 'x$${HOST}')
    await desk.add(production, 'BOTH', '${HOST}$${HOST}')
    const { text } = await exported('json', { resolve: true })
    expect(JSON.parse(text)).toEqual({ HOST: 'shop', ESCAPED: 'x${HOST}', BOTH: 'shop${HOST}' })
    expect(JSON.parse((await exported('json')).text)).toMatchObject({ ESCAPED: 'x$${HOST}' })
  })

  test('resolves references where it is asked to, and refuses what cannot be', async () => {
    await desk.add(production, 'URL', 'http://${HOST}:${staging.PORT}/')
    await desk.add(production, 'HOST', 'shop')
    await desk.add(staging, 'PORT', '${BASE}1')
    await desk.add(staging, 'BASE', '80')
    await desk.add(production, 'LOST', '${staging.NOWHERE}')
    await desk.add(production, 'ROUND', '${ROUND}')
    expect((await exported('env')).text).toContain('${HOST}')
    const { text, refused } = await exported('docker', { resolve: true })
    expect(text).toBe('HOST=shop\nURL=http://shop:801/\n')
    expect(refused).toEqual([
      { name: 'LOST', reason: 'It refers to staging.NOWHERE, which isn’t defined.' },
      { name: 'ROUND', reason: 'It refers to ROUND, which refers back to itself.' },
    ])
  })

  test('names the broken references of a value, the first five of many', async () => {
    await desk.add(production, 'LOST', 'http://${NOWHERE}:${staging.PORT}/${LOST}')
    await desk.add(production, 'MANY', Array.from({ length: 9 }, (_, at) => `\${N${at}}`).join(''))
    const { refused } = await exported('env', { resolve: true })
    expect(refused).toEqual([
      {
        name: 'LOST',
        reason: 'It has 3 broken references: NOWHERE (not defined), staging.PORT (not defined), LOST (refers back to itself).',
      },
      {
        name: 'MANY',
        reason:
          'It has 9 broken references: N0 (not defined), N1 (not defined), N2 (not defined), N3 (not defined), N4 (not defined) and 4 more.',
      },
    ])
  })

  test('needs the keys, and an environment', async () => {
    const args = { workspaceId, format: 'env' as const, reveal: true, resolve: false }
    expect(await desk.handlers['export.text']({ ...args, environmentId: 'none' })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
    desk.keys.cipher = null
    expect(await desk.handlers['export.text']({ ...args, environmentId: production })).toMatchObject({
      ok: false,
      error: { kind: 'keys-locked' },
    })
  })
})

describe('text mode', () => {
  test('reads an environment as .env, which saved again changes nothing', async () => {
    await desk.add(production, 'B', 'two words', { isSecret: true })
    await desk.add(production, 'A', '1', { type: 'number' })
    await desk.add(production, 'odd name', 'x')
    const { text, refused } = await valueOf(desk.handlers['text.read']({ workspaceId, environmentId: production }))
    expect(text).toBe("A=1\nB='two words'\n")
    expect(refused).toEqual([{ name: 'odd name', reason: expect.stringContaining('has only the letters') }])
    const saved = {
      workspaceId,
      environmentId: production,
      text,
      format: 'env' as const,
      mode: 'replace' as const,
      keepNames: refused.map(({ name }) => name),
    }
    expect(await valueOf(desk.handlers['import.preview'](saved))).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 2 })
    await valueOf(desk.handlers['import.apply']({ seen: asShown, ...saved, text: 'A=2\nC=3\n' }))
    expect(await desk.read(production)).toEqual({ A: '2', C: '3', 'odd name': 'x' })
  })

  test.each([
    ['a bell', '\\e]0;title\u0007'],
    ['a replacement character', 'a\ufffdb'],
  ])('can be saved again with %s in a value', async (_, value) => {
    await desk.add(production, 'A', value)
    const { text } = await valueOf(desk.handlers['text.read']({ workspaceId, environmentId: production }))
    const saved = { workspaceId, environmentId: production, text, format: 'env' as const }
    expect(await valueOf(desk.handlers['import.preview'](saved))).toMatchObject({ unchanged: 1, invalid: 0 })
  })

  test('refuses an environment that could not be saved again', async () => {
    for (let index = 0; index < 11; index += 1) await desk.add(production, `A_${index}`, 'x'.repeat(500_000))
    expect(await desk.handlers['text.read']({ workspaceId, environmentId: production })).toMatchObject({
      ok: false,
      error: { kind: 'too-large' },
    })
  })
})

describe('a large environment', () => {
  test('is read as one state, whatever is written meanwhile, and lets others have their turn', async () => {
    const many = Array.from({ length: 1203 }, (_, n) => `NAME_${String(n).padStart(4, '0')}=${n}`).join('\n')
    await valueOf(desk.handlers['import.apply']({ seen: asShown, workspaceId, environmentId: production, text: many }))
    let turns = 0
    const counting = setInterval(() => (turns += 1), 0)
    const reading = exported('env')
    const late = desk.add(production, 'NAME_9999', 'late')
    const { text } = await reading
    clearInterval(counting)
    await late
    expect(turns).toBeGreaterThan(1)
    expect(text).toBe(`${many}\n`)
    expect((await exported('env')).text).toBe(`${many}\nNAME_9999=late\n`)
  })

  test.each<ExportFormat>(['env', 'yaml', 'shell', 'docker', 'json', 'kubernetes'])(
    'is the same in parts as in one piece, as %s',
    async (format) => {
      const entries = Array.from({ length: 1100 }, (_, n) => ({
        name: `N${n}`,
        value: n % 7 === 0 ? `line ${n}\n'"\`#` : `${n}`,
        type: null,
      }))
      for (const masked of [true, false]) {
        expect(await exportInSlices(format, entries, 'shop-prod', masked, AbortSignal.any([]))).toEqual(
          ok(exportText(format, entries, 'shop-prod', masked)),
        )
      }
    },
  )

  test('says each note once, about all variables of a long list', async () => {
    const values = [...Array.from({ length: 4 }, (_, part) => [part * 500, "it's `x`"] as const), [1900, String.raw`a\'b`] as const]
    const valueAt = new Map<number, string>(values)
    const entries = Array.from({ length: 2000 }, (_, n) => ({ name: `V${n}`, value: valueAt.get(n) ?? 'x', type: null }))
    const exportedList = await exportInSlices('env', entries, '', false, AbortSignal.any([]))
    expect(exportedList.ok && exportedList.value.notes).toEqual(exportText('env', entries, '', false).notes)
    expect(exportedList).toMatchObject({
      value: {
        notes: expect.arrayContaining([
          expect.stringContaining('V0, V500, V1000, V1500'),
          expect.stringContaining('--env-file would change V1900.'),
        ]),
      },
    })
  })

  test('is not given out when the keys were locked while it was read', async () => {
    await desk.add(production, 'A', '1')
    const reading = desk.handlers['text.read']({ workspaceId, environmentId: production })
    await Promise.resolve()
    desk.keys.cipher = null
    expect(await reading).toMatchObject({ ok: false, error: { kind: 'keys-locked' } })
  })
})
