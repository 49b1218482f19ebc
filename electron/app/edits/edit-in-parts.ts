import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppError } from '../../bridge/app-error.ts'
import type { Table } from '../../bridge/contract.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { AppContext } from '../app-context.ts'
import { recordRows } from '../undo/record-rows.ts'
import type { RowImage } from '../undo/step.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { commit } from './edit.ts'
import type { EditContext } from './edit-context.ts'

/** Up to this many pieces are one transaction. More are saved in parts, so that other work doesn't wait long. */
const wholeLimit = 300
const partMs = 25
const partLimit = 500

/**
 * Begins a part and returns what edits one piece of it. `ahead`: the next pieces, of which the part saves the first ones. An error ends the
 * work and rolls the part back.
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
  goOn?: (saved: number) => Result<null>
}

export interface InParts {
  /** What each saved part changed, in order: together one step of undo, which the caller adds or takes back. */
  parts: RowImage[][]
  /** Why the work ended before its last piece; null: all of it is saved. */
  failure: AppError | null
}

/**
 * Makes many small edits in transactions of about 25 ms, and lets other work run in between: what a part saved may be sent or overtaken
 * before the next part begins.
 */
export async function editInParts<P>(
  context: AppContext,
  workspaceId: string,
  { tables, pieces, begin, goOn = () => ok(null) }: WorkInParts<P>,
): Promise<InParts> {
  const parts: RowImage[][] = []
  let saved = 0
  while (saved < pieces.length) {
    const going = goOn(saved)
    const session = going.ok ? await context.workspaces.session(workspaceId) : going
    if (!session.ok) return { parts, failure: session.error }
    const recorder = recordRows()
    const until = pieces.length <= wholeLimit ? Number.POSITIVE_INFINITY : performance.now() + partMs
    const part = commit(context, session.value, tables, (tx, editContext, open) => {
      const { remember, rememberDropped } = recorder
      const ahead = pieces.slice(saved, saved + partLimit)
      const edit = begin(tx, { ...editContext, remember, rememberDropped }, open, ahead)
      if (!edit.ok) return edit
      let at = saved
      for (const piece of ahead) {
        const done = edit.value(piece)
        if (!done.ok) return done
        at += 1
        if (performance.now() > until) break
      }
      return ok({ at, images: recorder.finish(tx) })
    })
    if (!part.ok) return { parts, failure: part.error }
    saved = part.value.at
    parts.push(part.value.images)
    if (saved < pieces.length) await nextTurn()
  }
  return { parts, failure: null }
}
