import { expect, test } from 'vitest'
import { readImport } from '../../electron/transfer/read-import.ts'

const manifest = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'shop' }, data: { PASS: 'dHdvIHdvcmRz' } }

test.each([
  ['on several lines', JSON.stringify(manifest, null, 2)],
  ['indented by tabs', JSON.stringify(manifest, null, '\t')],
  ['on one line', JSON.stringify(manifest)],
])('a Kubernetes Secret in JSON %s gives its values decoded', async (_, text) => {
  const outcome = await readImport(text, 'auto')
  if (!outcome.ok) throw new Error(outcome.problem)
  expect(outcome.format).toBe('json')
  expect(outcome.read.entries).toMatchObject([{ name: 'PASS', value: 'two words', isSecret: true, note: 'Decoded from base64.' }])
})

test.each([
  ['another kind', { ...manifest, kind: 'Deployment' }],
  ['no version', { kind: 'Secret', data: manifest.data }],
])('JSON with %s is read as it is written', async (_, content) => {
  const outcome = await readImport(JSON.stringify(content), 'auto')
  if (!outcome.ok) throw new Error(outcome.problem)
  expect(outcome.read.entries).toContainEqual(expect.objectContaining({ name: 'data__PASS', value: 'dHdvIHdvcmRz' }))
})

test('a Kubernetes Secret that is not valid JSON is refused as JSON', async () => {
  const outcome = await readImport(`${JSON.stringify(manifest)},`, 'json')
  expect(outcome).toMatchObject({ ok: false, problem: expect.stringContaining('valid JSON') })
})
