import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { parse } from 'dotenv'
import { v7 as uuid } from 'uuid'
import { createWorkspaceCipher } from '../../electron/cipher/workspace-cipher.ts'
import { createOfflineDesk, workspaceId } from '../app/imports/offline-desk.ts'
import { asShown } from '../support/as-shown.ts'
import { nameOf, workspaceKey } from './support/data-set.ts'
import { interleave, timed, timeRows } from './support/rounds.ts'
import type { Taken } from './support/rounds.ts'
import { ratioAtMost } from './support/row.ts'
import type { Bench, Row } from './support/row.ts'
import { valueOf } from '../support/value-of.ts'

const count = 10_000
const text = (round: number): string => Array.from({ length: count }, (_, n) => `${nameOf(n)}="value ${n} of round ${round}"\n`).join('')

/** The longest time in which nothing else had its turn, in milliseconds, while `work` ran, and what it took. */
async function held(work: () => Promise<unknown>): Promise<Taken & { hold: number }> {
  let hold = 0
  let last = performance.now()
  let stopped = false
  const tick = () => {
    const now = performance.now()
    hold = Math.max(hold, now - last)
    last = now
    if (!stopped) setImmediate(tick)
  }
  setImmediate(tick)
  const taken = await timed(work)
  stopped = true
  return { ...taken, hold }
}

/** Ours: from a text to the queue on the disk. New, changed, the same again, and undone; each on a database of its own. */
async function ours() {
  const desk = createOfflineDesk()
  const [environmentId = ''] = await desk.environments('Production')
  const [first, second] = [text(1), text(2)]
  const apply = (source: string) => valueOf(desk.handlers['import.apply']({ seen: asShown, workspaceId, environmentId, text: source }))
  const steps = {
    preview: await held(() => valueOf(desk.handlers['import.preview']({ workspaceId, environmentId, text: first }))),
    added: await held(() => apply(first)),
    changed: await held(() => apply(second)),
    same: await held(() => apply(second)),
    undone: await held(() => valueOf(desk.handlers['undo.undo']({ workspaceId }))),
  }
  desk.close()
  return steps
}

/** The least that does as much: the lines read, each value sealed and tagged, a row and its unsent change inserted, one durable transaction. */
async function bare(): Promise<Taken> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const database = new Database(join(folder, 'bare.sqlite'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(`
    create table rows (id text primary key, parent text, name text, sealed text, tag text, key_id text);
    create unique index rows_by_name on rows (parent, name);
    create table changes (id text primary key, row_id text, op text, name text, sealed text, tag text, at integer);
  `)
  const insertRow = database.prepare('insert into rows values (?, ?, ?, ?, ?, ?)')
  const insertChange = database.prepare('insert into changes values (?, ?, ?, ?, ?, ?, ?)')
  const cipher = createWorkspaceCipher(workspaceKey())
  const source = text(1)
  const insertAll = database.transaction(() => {
    for (const [name, value] of Object.entries(parse(source))) {
      const { sealed, tag, keyId } = cipher.seal(value)
      const id = uuid()
      insertRow.run(id, 'environment', name, sealed, tag, keyId)
      insertChange.run(uuid(), id, 'create', name, sealed, tag, Date.now())
    }
  })
  const taken = await timed(insertAll)
  database.close()
  rmSync(folder, { recursive: true, force: true })
  return taken
}

/** A `.env` of 10,000 lines, from its text to the queue on the disk. */
export const bench: Bench = async () => {
  const seen = await interleave({ ours, bare })
  const of = (step: keyof Awaited<ReturnType<typeof ours>>) => seen.ours.map((steps) => steps[step])
  const time = (what: string, step: keyof Awaited<ReturnType<typeof ours>>): Row => ({
    what,
    unit: 'ms',
    ours: of(step).map(({ wall }) => wall),
  })
  return [
    ...timeRows('import of 10,000 lines', of('added'), { what: 'bare inserts', taken: seen.bare }, { on: 'wall', goal: ratioAtMost(1.5) }),
    { what: 'import of 10,000 lines, longest hold', unit: 'ms', ours: of('added').map(({ hold }) => hold) },
    time('preview', 'preview'),
    time('import, all changed', 'changed'),
    time('import, all the same', 'same'),
    time('undo', 'undone'),
  ]
}
