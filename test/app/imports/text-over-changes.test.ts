import { afterEach, beforeEach, expect, test } from 'vitest'
import { untouchedSince } from '../../../src/domain/text-parts.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from './offline-desk.ts'
import { asShown, rowsAsShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'

let desk: OfflineDesk
beforeEach(() => void (desk = createOfflineDesk()))
afterEach(() => desk.close())

test('a text that is saved late changes what was touched in it, and nothing that others did meanwhile', async () => {
  const [environmentId = ''] = await desk.environments('Production')
  const edited = await desk.add(environmentId, 'EDITED', 'one')
  const theirs = await desk.add(environmentId, 'THEIRS', "it's old")
  const deleted = await desk.add(environmentId, 'DELETED', 'x')
  await desk.add(environmentId, 'TAKEN_OUT', 'x')
  const { text: base, refused } = await valueOf(desk.handlers['text.read']({ workspaceId, environmentId }))

  await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: theirs, value: 'new\nlines' }))
  await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: edited, value: 'theirs' }))
  await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([deleted]) }))
  await desk.add(environmentId, 'ARRIVED', 'late')

  const draft = `${base.replace('EDITED=one', 'EDITED=mine').replace('TAKEN_OUT=x\n', '')}TYPED=too\n`
  const args = (text: string) => ({
    workspaceId,
    environmentId,
    text,
    format: 'env' as const,
    mode: 'replace' as const,
    keepNames: refused.map(({ name }) => name),
  })
  const since = await valueOf(desk.handlers['import.preview'](args(base)))
  const preview = await valueOf(desk.handlers['import.preview'](args(draft)))
  const untouched = untouchedSince({ text: base, lines: since.lines }, { text: draft, lines: preview.lines })
  expect(untouched).toEqual(new Set(['THEIRS', 'DELETED', 'ARRIVED']))

  const names = preview.lines.filter(({ name, status }) => status !== 'unchanged' && !untouched.has(name)).map(({ name }) => name)
  await valueOf(desk.handlers['import.apply']({ seen: asShown, ...args(draft), names }))
  expect(await desk.read(environmentId)).toEqual({ EDITED: 'mine', THEIRS: 'new\nlines', ARRIVED: 'late', TYPED: 'too' })
})
