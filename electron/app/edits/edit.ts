import type { AppError } from '../../bridge/app-error.ts'
import type { Table } from '../../bridge/contract.ts'
import { ok, type Edited, type Result } from '../../bridge/result.ts'
import type { Tx } from '../../mirror/tx.ts'
import { fieldNames, sameField } from '../../queue/fields.ts'
import type { AppContext } from '../app-context.ts'
import { labelOfOperation } from '../undo/apply-operation.ts'
import { recordRows } from '../undo/record-rows.ts'
import type { OperationStep, RowImage, Step } from '../undo/step.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import type { EditContext } from './edit-context.ts'
import { finishEndedWork } from './unfinished-work.ts'

/** Thrown inside a transaction to roll it back and return the refusal. */
class Refused extends Error {
  readonly refusal: AppError
  constructor(refusal: AppError) {
    super(refusal.kind)
    this.refusal = refusal
  }
}

export type EditWork<T> = (tx: Tx, editContext: EditContext, session: WorkspaceSession) => Result<T>

/**
 * Runs one edit of the user in one transaction, then notifies the page and wakes the engine. When it resolves, the edit is on disk. An
 * error from `work` rolls everything back. The rows that `work` remembers become one step of undo, named `label`; the answer has its id. If
 * the edit `continues` the step before, the two become one.
 */
export async function edit<T>(
  context: AppContext,
  workspaceId: string,
  tables: Table[],
  work: EditWork<T>,
  label: (images: readonly RowImage[]) => string = editLabel,
  continues: (before: Step) => boolean = () => false,
): Promise<Edited<T>> {
  const opened = await context.workspaces.session(workspaceId)
  if (!opened.ok) return opened
  const recorder = recordRows()
  let asked: OperationStep | null = null as OperationStep | null
  const done = commit(context, opened.value, tables, (tx, editContext, session) => {
    const outcome = work(
      tx,
      {
        ...editContext,
        remember: recorder.remember,
        rememberDropped: recorder.rememberDropped,
        rememberOperation: (each) => (asked = each),
      },
      session,
    )
    return outcome.ok ? ok({ value: outcome.value, images: recorder.finish(tx) }) : outcome
  })
  if (!done.ok) return done
  const { value, images } = done.value
  if (asked !== null) {
    const step = context.undo.add(workspaceId, { label: labelOfOperation(asked.operation), images: [], asked })
    return { ok: true, value, step }
  }
  if (images.length === 0) return ok(value)
  const before = context.undo.next(workspaceId, 'undo')
  const isOne = before !== null && continues(before) && !before.images.some(({ id }) => images.some((image) => image.id === id))
  if (isOne) context.undo.drop(workspaceId, 'undo')
  const all = isOne ? [...before.images, ...images] : images
  return { ok: true, value, step: context.undo.add(workspaceId, { label: label(all), images: all }) }
}

/** Like `edit`, without a step of undo. Synchronous, so that nothing runs before the caller's next line. */
export function commit<T>(context: AppContext, session: WorkspaceSession, tables: Table[], work: EditWork<T>): Result<T> {
  try {
    const value = session.mirror.write((tx) => {
      const outcome = work(tx, { now: context.deps.now(), newId: context.newId }, session)
      if (!outcome.ok) throw new Refused(outcome.error)
      finishEndedWork(tx)
      return outcome.value
    })
    context.emit({ push: 'changed', workspaceId: session.id, tables: [...tables, 'queue', 'sync'] })
    session.engine?.wake()
    return ok(value)
  } catch (error) {
    if (error instanceof Refused) return { ok: false, error: error.refusal }
    throw error
  }
}

const kinds = ['project', 'environment', 'variable'] as const

/** The label of an edit in a menu: "Delete 3 variables", "Rename PORT to HTTP_PORT". Names are no secrets. */
export function editLabel(images: readonly RowImage[]): string {
  // If a project was deleted, the label names only the project, and not the rows deleted with it.
  const kind = kinds.find((each) => images.some((image) => image.kind === each)) ?? 'variable'
  const top = images.filter((image) => image.kind === kind)
  const [first] = top
  const verb = top.every(isCreated) ? 'Create' : top.every(isDeleted) ? 'Delete' : 'Change'
  if (first === undefined || top.length > 1) return `${verb} ${top.length} ${kind}s`
  const was = first.before?.name
  const is = first.after?.name
  if (verb === 'Change' && was !== undefined && is !== undefined && changed(first).includes('name')) return `Rename ${was} to ${is}`
  return `${verb} ${is ?? was ?? kind}`
}

const isCreated = (image: RowImage): boolean => image.before === null
const isDeleted = (image: RowImage): boolean => image.after === null
const changed = ({ before, after }: RowImage) => fieldNames.filter((field) => !sameField(before?.[field], after?.[field]))
