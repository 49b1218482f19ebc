import type { AppError } from '../../bridge/app-error.ts'
import type { Commands, Table } from '../../bridge/contract.ts'
import { err, ok, type Edited, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import { countDeleted, getDeleted } from '../../mirror/deleted-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking, pathFrom } from '../../mirror/working-layer.ts'
import { mergeableOf, sameFields } from '../../queue/fields.ts'
import type { AppContext } from '../app-context.ts'
import { readProfile } from '../capabilities/keep-profile.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { commit } from '../edits/edit.ts'
import type { Handlers } from '../handlers.ts'
import { oneAtATime } from '../one-at-a-time.ts'
import { whereOf } from '../queue/describe-change.ts'
import { applyOperation } from './apply-operation.ts'
import type { StepRefusal } from './apply-step.ts'
import { restoreSent, undoStep } from './bring-back.ts'
import { redoStep } from './redo-step.ts'
import type { AppliedStep, Direction, Step } from './step.ts'

type UndoHandlers = Pick<Handlers, 'undo.status' | 'undo.undo' | 'undo.redo'>

/** Undoes and redoes the user's own edits, per workspace. */
export const undoHandlers = (context: AppContext): UndoHandlers => ({
  async 'undo.status'({ workspaceId }) {
    const [undo, redo] = [context.undo.next(workspaceId, 'undo'), context.undo.next(workspaceId, 'redo')]
    return ok({ undo: undo?.label ?? null, redo: redo?.label ?? null, steps: { undo: undo?.id ?? null, redo: redo?.id ?? null } })
  },
  'undo.undo': ({ workspaceId, step }) =>
    oneAtATime(`undo in ${workspaceId}`, async () => notNext(context, workspaceId, 'undo', step) ?? undoNext(context, workspaceId)),
  'undo.redo': ({ workspaceId, step }) =>
    oneAtATime(`undo in ${workspaceId}`, async () => notNext(context, workspaceId, 'redo', step) ?? go(context, workspaceId, 'redo')),
})

/** Returns the refusal of a step that is not the next one; null: it is, or none is named. */
function notNext({ undo }: AppContext, workspaceId: string, direction: Direction, step: string | undefined) {
  if (step === undefined || undo.next(workspaceId, direction)?.id === step) return null
  return err<AppError>({
    kind: 'not-found',
    message: `You’ve made other changes since. ${direction === 'undo' ? 'Undo' : 'Redo'} step by step.`,
  })
}

async function undoNext(context: AppContext, workspaceId: string): Promise<Edited<Commands['undo.undo']['value']>> {
  const session = await context.workspaces.session(workspaceId)
  const step = context.undo.next(workspaceId, 'undo')
  if (!session.ok || step === null) return go(context, workspaceId, 'undo')
  const restored = await restoreSent(session.value, step)
  if (!restored.ok) return restored
  // The user has edited something else in the meantime: that edit must be undone before the rest of this step.
  if (context.undo.next(workspaceId, 'undo') !== step)
    return restored.value ? ok({ label: step.label, notice: restNotice }) : err(named(editedMeanwhile, 'undo', step))
  const notice = session.value.mirror.snapshot((tx) => noticeOf(tx, step))
  const done = await go(context, workspaceId, 'undo')
  if (!done.ok) return done
  const { isIdle, ...rest } = done.value
  // The service may have restored everything that the step changed.
  return { ...done, value: { ...rest, ...(isIdle === true && !restored.value && { isIdle }), ...(notice !== null && { notice }) } }
}

const restNotice =
  'Restored without your unsent changes, because you edited something else meanwhile. Undo that edit, then undo again to get them back.'

const editedMeanwhile: AppError = { kind: 'invalid-input', message: 'You edited something else meanwhile. Undo that edit first.' }

/** Returns a sentence about versions that don’t come back, because the deletion of their environment was sent; null: none. */
function noticeOf(tx: Tx, { images }: Step): string | null {
  const sent = images.filter(({ id, kind, after }) => kind === 'environment' && after === null && getBase(tx, id) === null)
  const kept = sent.map(({ id }) => getDeleted(tx, id)).filter((row) => row !== null)
  const versions = kept.reduce((sum, row) => sum + countDeleted(tx, row).versions, 0)
  if (versions === 0) return null
  const lost = `${versions === 1 ? 'Its version wasn’t' : `Its ${versions} versions weren’t`} restored`
  // A basic service can't restore deleted records or create versions.
  if (readProfile(tx)?.kind === 'basic') return `${lost}, because the service can’t restore versions.`
  return `${lost}. To get the original with its versions, use “Restore deleted…”.`
}

/** Undoes or redoes the next step. `isIdle`: the step had nothing to change. */
async function go(context: AppContext, workspaceId: string, direction: Direction): Promise<Edited<Commands['undo.redo']['value']>> {
  const { undo } = context
  const session = await context.workspaces.session(workspaceId)
  if (!session.ok) return session
  const step = undo.next(workspaceId, direction)
  if (step === null) return err({ kind: 'not-found', message: `Nothing to ${direction}.` })
  const { asked } = step
  const tables: Table[] = asked === undefined ? ['projects', 'environments', 'variables'] : ['versions', 'members']
  let overtaken = false
  const done = commit(context, session.value, tables, (tx, editContext) => {
    const applied = apply(tx, editContext, step, direction)
    if (applied.ok) return applied
    overtaken = applied.error.overtaken
    return err(named(applied.error.refusal, direction, step))
  })
  if (done.ok) {
    undo.turn(workspaceId, direction, done.value)
    const turned = undo.next(workspaceId, direction === 'undo' ? 'redo' : 'undo') ?? step
    const place = session.value.mirror.snapshot((tx) => placeOf(tx, turned))
    const { isIdle } = done.value
    const value = { label: step.label, ...(isIdle && { isIdle }), ...(place && { place }) }
    return { ok: true, value, step: step.id }
  }
  if (overtaken) {
    undo.drop(workspaceId, direction)
    context.emit({ push: 'changed', workspaceId, tables: ['queue'] })
  }
  return done
}

function apply(tx: Tx, context: EditContext, step: Step, direction: Direction): Result<AppliedStep, StepRefusal> {
  if (step.asked !== undefined) return applyOperation(tx, context, step, step.asked, direction)
  const isIdle = isReached(tx, step, direction)
  const applied = direction === 'undo' ? undoStep(tx, context, step) : redoStep(tx, context, step)
  return applied.ok ? ok({ ...applied.value, isIdle }) : applied
}

/** The refusal, after the edit that it is about. */
const named = (refusal: AppError, direction: Direction, { label }: Pick<Step, 'label'>): AppError => ({
  ...refusal,
  message: `Can’t ${direction} “${label}”. ${refusal.message}`,
})

/** Returns the nearest project or environment that holds everything a step changes; null: the step is about the workspace. */
function placeOf(tx: Tx, { images, asked }: Step): { id: string; path: string } | null {
  const parents = new Set(images.map(({ parentId }) => parentId))
  const [nearest = [], ...others] = asked ? [asked.operation.ancestors] : [...parents].map((id) => pathFrom(tx, id))
  const ancestors = nearest.filter((id) => others.every((path) => path.includes(id)))
  const [id] = ancestors
  const path = whereOf(tx, { ancestors })
  return id === undefined || path === '' ? null : { id, path }
}

/** Whether all rows of a step are already in its target state, as after a rollback. */
const isReached = (tx: Tx, { images }: Step, direction: Direction): boolean =>
  images.every(({ id, before, after }) => {
    const row = getWorking(tx, id)
    return sameFields(row && mergeableOf(row), direction === 'undo' ? before : after)
  })
