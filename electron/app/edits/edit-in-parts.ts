import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Table } from '../../bridge/contract.ts'
import { err, ok, type Edited, type Result } from '../../bridge/result.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { AppContext } from '../app-context.ts'
import { diskError } from '../settings/disk-error.ts'
import { recordRows } from '../undo/record-rows.ts'
import type { RowImage } from '../undo/step.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { commit } from './edit.ts'
import type { EditContext } from './edit-context.ts'
import { SavedInPart } from './saved-in-part.ts'
import { beginWork, endWork, finishWork, forgetPart, keepPart, takeBackPart } from './unfinished-work.ts'

/** Up to this many pieces are one transaction. More are saved in parts, so that other work doesn't wait long. */
const wholeLimit = 300
const partMs = 25
const partLimit = 500

/**
 * Begins a part, and returns the function that edits one piece. `ahead`: the next pieces, of which the part saves the first ones. An error
 * ends the work and rolls the part back.
 */
export type BeginPart<P> = (
  tx: Tx,
  context: EditContext,
  session: WorkspaceSession,
  ahead: readonly P[],
) => Result<(piece: P) => Result<null>>

export interface WorkInParts<P> {
  tables: Table[]
  /** Edited in order. */
  pieces: readonly P[]
  begin: BeginPart<P>
  /** Called before each part with the number of saved pieces. An error ends the work. */
  beforePart?: (saved: number) => Result<null>
  label: (images: readonly RowImage[]) => string
}

/**
 * Makes many small edits in transactions of about 25 ms, and lets other work run in between: what a part saved may be sent or overtaken
 * before the next part begins. They are one step of undo, or more if a row is edited in two parts. If the work fails, the saved parts are
 * undone, but for rows that others have changed since. What can't be undone then, as with a full disk, stays as a step of undo, and the error
 * says so. If Holdfast is killed in the middle, its next start undoes them.
 */
export async function editInParts<P>(context: AppContext, workspaceId: string, work: WorkInParts<P>): Promise<Edited<null>> {
  const id = context.newId()
  const begun = { ...work, id }
  beginWork(id)
  const parts: RowImage[][] = []
  let isFinished = false
  const addSteps = () => stepsOf(parts).map((images) => context.undo.add(workspaceId, { label: work.label(images), images }))
  try {
    const done = await saveParts(context, workspaceId, begun, parts)
    isFinished = done.ok || (await takeBack(context, workspaceId, begun, parts))
    // What can't be forgotten now is at the next start.
    if (done.ok) await forgetParts(context, workspaceId, id, parts.length).catch(() => undefined)
    const [step, ...others] = addSteps()
    // Of several steps, undoing the last one would not undo the work.
    return done.ok && step !== undefined && others.length === 0 ? { ...done, step } : done
  } catch (error) {
    await takeBack(context, workspaceId, begun, parts).catch(() => undefined)
    addSteps()
    const left = parts.flat().length
    if (left === 0) throw error
    // One small page: there is nearly always room for that. If not, the next edit does it.
    await keepSaved(context, workspaceId, id).catch(() => undefined)
    const known = diskError(error, context.deps.dataDir, onlySaved(left))
    if (known === null) throw new SavedInPart(onlySaved(left), { cause: error })
    return err(known)
  } finally {
    endWork(id, { isFinished })
  }
}

const onlySaved = (count: number): string =>
  count === 1
    ? 'only one change was saved, and undo reverts it'
    : `only ${count.toLocaleString('en-US')} changes were saved, and undo reverts them`

/** Takes the work for finished: the user is told what it saved. */
async function keepSaved(context: AppContext, workspaceId: string, id: string): Promise<void> {
  const session = await context.workspaces.session(workspaceId)
  if (session.ok) session.value.mirror.write((tx) => finishWork(tx, id))
}

/** Work in parts that has begun; `id` names its parts in the database. */
interface Begun<P> extends WorkInParts<P> {
  id: string
}

async function saveParts<P>(
  context: AppContext,
  workspaceId: string,
  { id, tables, pieces, begin, beforePart = () => ok(null) }: Begun<P>,
  parts: RowImage[][],
): Promise<Result<null>> {
  let saved = 0
  do {
    const going = beforePart(saved)
    const session = going.ok ? await context.workspaces.session(workspaceId) : going
    if (!session.ok) return session
    const { remember, rememberDropped, finish } = recordRows()
    const part = commit(context, session.value, tables, (tx, editContext, open) => {
      const ahead = pieces.slice(saved, saved + partLimit)
      const editPiece = begin(tx, { ...editContext, remember, rememberDropped }, open, ahead)
      if (!editPiece.ok) return editPiece
      const until = pieces.length <= wholeLimit ? Number.POSITIVE_INFINITY : performance.now() + partMs
      let edited = 0
      for (const piece of ahead) {
        const done = editPiece.value(piece)
        if (!done.ok) return done
        edited += 1
        if (performance.now() > until) break
      }
      const images = finish(tx)
      if (saved + edited === pieces.length) finishWork(tx, id)
      else if (images.length > 0) keepPart(tx, id, parts.length + 1, images)
      return ok({ edited, images })
    })
    if (!part.ok) return part
    saved += part.value.edited
    if (part.value.images.length > 0) parts.push(part.value.images)
    if (saved < pieces.length) await nextTurn()
  } while (saved < pieces.length)
  return ok(null)
}

/** Forgets the parts of finished work, one at a time: they can hold large values. */
async function forgetParts(context: AppContext, workspaceId: string, id: string, count: number): Promise<void> {
  for (let part = 1; part <= count; part++) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return
    session.value.mirror.write((tx) => forgetPart(tx, id, part))
    await nextTurn()
  }
}

/** Joins parts into steps of undo. A step has each row once, so a part that edits a row again begins another one. */
function stepsOf(parts: readonly RowImage[][]): RowImage[][] {
  const steps: RowImage[][] = []
  let ids = new Set<string>()
  for (const part of parts) {
    const last = steps.at(-1)
    if (last === undefined || part.some(({ id }) => ids.has(id))) {
      steps.push([...part])
      ids = new Set()
    } else for (const image of part) last.push(image)
    for (const { id } of part) ids.add(id)
  }
  return steps
}

/** Undoes parts, last one first, and removes them from `parts`. Returns false if the database was closed meanwhile. */
async function takeBack<P>(context: AppContext, workspaceId: string, { id, tables }: Begun<P>, parts: RowImage[][]): Promise<boolean> {
  for (let part = parts.at(-1); part !== undefined; part = parts.at(-1)) {
    const images = part
    const session = await context.workspaces.session(workspaceId)
    // The database was closed under this work, as for a repair: it is undone when that opens again.
    if (!session.ok) {
      parts.splice(0)
      return false
    }
    commit(context, session.value, tables, (tx, editContext) => ok(takeBackPart(tx, editContext, id, parts.length, images)))
    parts.pop()
    await nextTurn()
  }
  return true
}
