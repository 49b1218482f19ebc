import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyTo } from '../../electron/app/bulk/copy-to.ts'
import { updateMany } from '../../electron/app/bulk/update-many.ts'
import { applyStep } from '../../electron/app/undo/apply-step.ts'
import { recordRows } from '../../electron/app/undo/record-rows.ts'
import { deleteVariable } from '../../electron/app/variables/edit-variable.ts'
import { createWorkspaceCipher } from '../../electron/cipher/workspace-cipher.ts'
import { putBase } from '../../electron/mirror/base-layer.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import { variablesWindow, type WindowArgs } from '../../electron/mirror/reads/variables-window.ts'
import type { Tx } from '../../electron/mirror/tx.ts'
import { refreshRow, workingChildren } from '../../electron/mirror/working-layer.ts'
import type { EditContext } from '../../electron/app/edits/edit-context.ts'
import { rounds } from './support/rounds.ts'
import type { Bench, Row } from './support/row.ts'
import { asShown, rowsAsShown } from '../support/as-shown.ts'

const count = 10_000
const cipher = createWorkspaceCipher(new Uint8Array(randomBytes(32)))

/** An environment of 10,000 variables: a page sorted each way, and one command over all of them, undone. */
const measure = async (seen: Map<string, number[]>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const opened = openMirror(join(folder, 'mirror.sqlite'))
  if (!opened.ok) throw new Error(opened.error.message)
  const mirror = opened.value
  const stamps = { etag: 'e', createdAt: null, updatedBy: null }
  mirror.write((tx) => {
    const put = (id: string, kind: 'project' | 'environment' | 'variable', parentId: string | null, fields: object, updatedAt: string) => {
      putBase(tx, { id, kind, parentId, fields, remoteId: `remote-${id}`, updatedAt, ...stamps })
      refreshRow(tx, id)
    }
    put('project', 'project', null, { name: 'Shop', slug: 'shop' }, '')
    for (const slug of ['dev', 'prod']) put(slug, 'environment', 'project', { name: slug, slug }, '')
    for (let n = 0; n < count; n += 1) {
      const value = cipher.seal(`value ${n}`)
      const type = (['string', 'number', 'boolean'] as const)[n % 3]
      put(
        `v-${n}`,
        'variable',
        'dev',
        { name: `SETTING_${(n * 7919) % count}`, value, type, isSecret: n % 2 === 0 },
        `2026-11-${10 + (n % 20)}`,
      )
    }
  })
  const timed = async (what: string, work: () => unknown): Promise<void> => {
    const begun = performance.now()
    await work()
    seen.set(what, [...(seen.get(what) ?? []), performance.now() - begun])
  }
  const page = (args: Partial<WindowArgs>) =>
    variablesWindow(mirror, { environmentId: 'dev', filter: '', offset: 5000, limit: 100, ...args })
  await page({})
  for (const by of ['name', 'type', 'secret', 'updated', 'sync'] as const) {
    await timed(`page of 100 at 5,000 by ${by}`, () => page({ sort: { by, dir: 'desc' } }))
  }
  const ids = mirror.snapshot((tx) => workingChildren(tx, 'variable', 'dev')).map((row) => row.id)
  let made = 0
  const context = { now: 0, newId: () => `new-${(made += 1)}` }
  const undone = async (what: string, work: (tx: Tx, edit: EditContext) => void): Promise<void> => {
    const recorder = recordRows()
    let step = {
      label: what,
      images: recorder.finish({
        all: () => [],
        get: () => undefined,
        each: () => [],
        run: () => ({ changes: 0, lastInsertRowid: 0 }),
        attempt: (work) => work(),
      }),
    }
    await timed(what, () =>
      mirror.write((tx) => {
        work(tx, { ...context, remember: recorder.remember })
        step = { label: what, images: recorder.finish(tx) }
      }),
    )
    await timed(`undo: ${what}`, () => mirror.write((tx) => applyStep(tx, context, step, 'undo')))
  }
  await undone('classify 10,000', (tx, edit) => updateMany(tx, edit, rowsAsShown(ids), { type: 'string', isSecret: true }))
  await undone(
    'copy 10,000',
    (tx, edit) => void copyTo(tx, edit, { rows: rowsAsShown(ids), seen: asShown, environmentId: 'prod', onTaken: 'skip', move: false }),
  )
  await undone('delete 10,000', (tx, edit) => {
    for (const id of ids) deleteVariable(tx, edit, id, asShown)
  })
  mirror.close()
  rmSync(folder, { recursive: true, force: true })
}

/** What is asked of a large environment; each round on a new database. */
export const bench: Bench = async () => {
  const seen = new Map<string, number[]>()
  for (let round = 0; round < rounds; round += 1) await measure(seen)
  return [...seen].map(([what, ours]): Row => ({ what, unit: 'ms', ours }))
}
