import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Table } from '../../bridge/contract.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { AppContext } from '../app-context.ts'
import { applyStep } from '../undo/apply-step.ts'
import { recordRows } from '../undo/record-rows.ts'
import type { RowImage, Step } from '../undo/step.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { commit } from './edit.ts'
import type { EditContext } from './edit-context.ts'

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
 * undone, but for rows that others have changed since.
 */
export async function editInParts<P>(context: AppContext, workspaceId: string, work: WorkInParts<P>): Promise<Result<null>> {
  const saved: Saved[] = []
  try {
    const done = await saveParts(context, workspaceId, work, (part) => keep(context, workspaceId, saved, part, work.label))
    if (!done.ok) await takeBack(context, workspaceId, work.tables, saved)
    return done
  } catch (error) {
    // If this fails too, because the disk is full, the user can still undo what was saved.
    await takeBack(context, workspaceId, work.tables, saved).catch(() => undefined)
    throw error
  }
}

async function saveParts<P>(
  context: AppContext,
  workspaceId: string,
  { tables, pieces, begin, beforePart = () => ok(null) }: WorkInParts<P>,
  onSaved: (images: RowImage[]) => void,
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
      return ok({ edited, images: finish(tx) })
    })
    if (!part.ok) return part
    saved += part.value.edited
    onSaved(part.value.images)
    if (saved < pieces.length) await nextTurn()
  } while (saved < pieces.length)
  return ok(null)
}

/** A step of undo, and the parts it was saved in. */
interface Saved {
  step: Step
  parts: RowImage[][]
}

/**
 * Adds what a part changed to the step of the parts before it, below what the user has edited meanwhile. A step has each row once, so a
 * part that edits a row again begins another step.
 */
function keep({ undo }: AppContext, workspaceId: string, saved: Saved[], part: RowImage[], label: WorkInParts<unknown>['label']): void {
  if (part.length === 0) return
  const last = saved.at(-1)
  const ids = new Set(part.map(({ id }) => id))
  if (last !== undefined && !last.step.images.some(({ id }) => ids.has(id))) {
    const images = [...last.step.images, ...part]
    const step = { label: label(images), images }
    if (undo.replace(workspaceId, last.step, step)) {
      last.step = step
      last.parts.push(part)
      return
    }
  }
  const step = { label: label(part), images: part }
  undo.add(workspaceId, step)
  saved.push({ step, parts: [part] })
}

/** Undoes the saved parts, last one first, and forgets their steps. Rows that others have changed since stay as they are. */
async function takeBack(context: AppContext, workspaceId: string, tables: Table[], saved: readonly Saved[]): Promise<void> {
  for (const { step, parts } of saved.toReversed()) {
    let left = step
    for (const part of parts.toReversed()) {
      const session = await context.workspaces.session(workspaceId)
      if (!session.ok) return
      const undo = (images: readonly RowImage[]): boolean =>
        commit(context, session.value, tables, (tx, editContext) => {
          // Also undoes edits of rows in conflict.
          const applied = applyStep(tx, editContext, { label: '', images }, 'undo', { evenInConflict: true })
          return applied.ok ? applied : err(applied.error.refusal)
        }).ok
      if (!undo(part)) for (const image of part) undo([image])
      const rest = { ...left, images: left.images.slice(0, -part.length) }
      context.undo.replace(workspaceId, left, rest.images.length === 0 ? null : rest)
      left = rest
      await nextTurn()
    }
  }
}
