import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { InterruptedNote } from '../../bridge/rows.ts'
import { getBase } from '../../mirror/base-layer.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { changesOfRow } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getState, setState, unfinishedKeys, type UnfinishedKey } from '../../mirror/workspace-state.ts'
import { isAttempted, type Change } from '../../queue/entry.ts'
import { applyStep } from '../undo/apply-step.ts'
import type { RowImage } from '../undo/step.ts'
import type { EditContext } from './edit-context.ts'

/** The ids of the work in parts of this process that has not ended. */
const underWay = new Set<string>()
/** Whether the database may have work of this process that ended without being finished. */
let isAnyLeft = false

/** Marks work as under way until `endWork`: neither a reopened database nor other work ends it. */
export const beginWork = (workId: string): void => void underWay.add(workId)

export function endWork(workId: string, { isFinished }: { isFinished: boolean }): void {
  underWay.delete(workId)
  isAnyLeft ||= !isFinished
}

/** The key of a part of work in parts, counted from 1. */
const partKey = (workId: string, part: number): UnfinishedKey => `unfinished-${workId}-${part}`
/** Work is unfinished as long as this key is set: to delete the parts takes a while, and room on the disk. */
const headKey = (workId: string): UnfinishedKey => partKey(workId, 0)

/** Keeps the rows that a part changed: if Holdfast is killed before the work is finished, its next start takes the part back. */
export function keepPart(tx: Tx, workId: string, part: number, images: readonly RowImage[]): void {
  if (part === 1) setState(tx, headKey(workId), '[]')
  setState(tx, partKey(workId, part), JSON.stringify(images.map(withTagOnly)))
}

/** Undo only compares the value that a row got: its tag is enough, and far smaller than what an import has just written twice. */
function withTagOnly(image: RowImage): RowImage {
  const value = image.after?.value
  if (value === undefined || value.tag === null) return image
  return { ...image, after: { ...image.after, value: { ...value, sealed: '' } } }
}

export const forgetPart = (tx: Tx, workId: string, part: number): void => setState(tx, partKey(workId, part), null)

/** Work is finished: what it changed stays. */
export const finishWork = (tx: Tx, workId: string): void => setState(tx, headKey(workId), null)

/** The keys of work that isn't under way: it has ended, or belongs to a process that was killed. */
const endedKeys = (tx: Tx): UnfinishedKey[] => unfinishedKeys(tx).filter((key) => !underWay.has(workOf(key)))

const isUnfinished = (tx: Tx, key: UnfinishedKey): boolean => getState(tx, headKey(workOf(key))) !== null

/**
 * Takes all work that has ended for finished, as part of the next edit: the user has seen what it left, and the edit may count on that. Such
 * work failed, and could neither be taken back nor marked as finished at once, for instance because the disk was full.
 */
export function finishEndedWork(tx: Tx): void {
  if (!isAnyLeft) return
  for (const key of endedKeys(tx)) if (partOf(key) === 0) setState(tx, key, null)
}

/** Undoes a part and forgets it. Also undoes edits of rows in conflict. Rows that others have changed since stay as they are. */
export function takeBackPart(tx: Tx, context: EditContext, workId: string, part: number, images: readonly RowImage[]): void {
  undoRows(tx, context, images)
  forgetPart(tx, workId, part)
  if (part === 1) finishWork(tx, workId)
}

/** Undoes the rows that nobody has changed since, and returns their number. */
function undoRows(tx: Tx, context: EditContext, images: readonly RowImage[]): number {
  const undo = (rows: readonly RowImage[]) =>
    tx.attempt(() => applyStep(tx, context, { label: '', images: rows }, 'undo', { evenInConflict: true })).ok
  return undo(images) ? images.length : oneByOne(images).filter((image) => undo([image])).length
}

/** In the order in which rows can be undone by themselves: one that was created goes before its parent, the others come after theirs. */
const oneByOne = (part: readonly RowImage[]): RowImage[] => [
  ...part.filter(({ before }) => before === null).toReversed(),
  ...part.filter(({ before }) => before !== null),
]

/**
 * Takes back the work in parts that a killed process left unfinished, last part first, and leaves a note of it. Rows that may have been sent
 * stay: the database may be an old copy, and on the service the work may have been finished. Also forgets the parts of finished work. Call it
 * before the rows are shown or sent. Calls `report` between the parts with the share that is done, from 0 to 1.
 */
export async function settleWork(mirror: Mirror, context: EditContext, report: (done: number) => void = () => undefined): Promise<void> {
  const left = mirror.snapshot(endedKeys)
  for (const [at, key] of left.toSorted((a, b) => partOf(b) - partOf(a)).entries()) {
    report(at / left.length)
    mirror.write((tx) => {
      if (isUnfinished(tx, key)) takeBackUnsent(tx, context, imagesOf(tx, key))
      setState(tx, key, null)
    })
    await nextTurn()
  }
}

/** Takes the unfinished work of a killed process for finished, because undoing it failed, and leaves a note of it. */
export function leaveWork(tx: Tx): void {
  const keys = endedKeys(tx)
  const left = keys.filter((key) => isUnfinished(tx, key)).reduce((count, key) => count + imagesOf(tx, key).length, 0)
  if (left > 0) addToNote(tx, { left })
  for (const key of keys) setState(tx, key, null)
}

const imagesOf = (tx: Tx, key: UnfinishedKey): RowImage[] => JSON.parse(getState(tx, key) ?? '[]')

const noteSchema = z.object({ undone: z.number(), kept: z.number(), left: z.number().default(0) })

/** Returns the note of the interrupted imports, until the user has read it; null: there is none. */
export function interruptedNote(tx: Tx): InterruptedNote | null {
  const text = getState(tx, 'interrupted')
  return text === null ? null : noteSchema.parse(JSON.parse(text))
}

/** Leaves a note of an import that was cancelled by a lock or the end of Holdfast, and has undone itself. */
export const noteInterrupted = (tx: Tx): void => addToNote(tx, {})

export const forgetInterrupted = (tx: Tx): void => setState(tx, 'interrupted', null)

function takeBackUnsent(tx: Tx, context: EditContext, images: readonly RowImage[]): void {
  if (images.length === 0) return
  const unsent = images.filter((image) => !mayBeSent(tx, image))
  const undone = undoRows(tx, context, unsent)
  addToNote(tx, { undone, kept: images.length - undone })
}

function addToNote(tx: Tx, { undone = 0, kept = 0, left = 0 }: Partial<InterruptedNote>): void {
  const before = interruptedNote(tx) ?? { undone: 0, kept: 0, left: 0 }
  const note: InterruptedNote = { undone: before.undone + undone, kept: before.kept + kept, left: before.left + left }
  setState(tx, 'interrupted', JSON.stringify(note))
}

/** Whether what was edited may have reached the service. */
function mayBeSent(tx: Tx, { id, after, unsent = [] }: RowImage): boolean {
  if (after === null) {
    const deletion = deletionOf(tx, id)
    if (deletion !== null) return isAttempted(deletion)
    // The service has confirmed the deletion, unless only this computer had the row.
    return !unsent.some(({ kind }) => kind === 'create')
  }
  const changes = changesOfRow(tx, id)
  return changes.length === 0 || changes.some(isAttempted)
}

/** Returns the unsent deletion of a row, or of one that it is in; null: there is none. */
function deletionOf(tx: Tx, id: string | null): Change | null {
  if (id === null) return null
  const last = changesOfRow(tx, id).at(-1)
  return last?.kind === 'delete' ? last : deletionOf(tx, getBase(tx, id)?.parentId ?? null)
}

const workOf = (key: UnfinishedKey): string => key.slice('unfinished-'.length, key.lastIndexOf('-'))
const partOf = (key: UnfinishedKey): number => Number(key.slice(key.lastIndexOf('-') + 1))
