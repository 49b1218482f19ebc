import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Mirror } from '../../mirror/mirror.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getState, setState, unfinishedKeys, type UnfinishedKey } from '../../mirror/workspace-state.ts'
import { applyStep } from '../undo/apply-step.ts'
import type { RowImage } from '../undo/step.ts'
import type { EditContext } from './edit-context.ts'

/** The key of a part of work in parts. The work is unfinished as long as its first part is kept: to delete all of them takes a while. */
export const partKey = (workId: string, part: number): UnfinishedKey => `unfinished-${workId}-${part}`

/** Keeps the rows that a part changed: if Holdfast is killed before the work is finished, its next start takes the part back. */
export const keepPart = (tx: Tx, key: UnfinishedKey, images: readonly RowImage[]): void => setState(tx, key, JSON.stringify(images))

export const forgetPart = (tx: Tx, key: UnfinishedKey): void => setState(tx, key, null)

/** Work is finished: what it changed stays. */
export const finishWork = (tx: Tx, workId: string): void => forgetPart(tx, partKey(workId, 0))

/**
 * Takes all work that has ended for finished: other work begins, which may count on what it left. `underWay`: the ids of work that goes on.
 */
export function finishEndedWork(tx: Tx, underWay: ReadonlySet<string>): void {
  for (const key of unfinishedKeys(tx)) if (partOf(key) === 0 && !underWay.has(workOf(key))) forgetPart(tx, key)
}

/** Undoes a part and forgets it. Also undoes edits of rows in conflict. Rows that others have changed since stay as they are. */
export function takeBackPart(tx: Tx, context: EditContext, key: UnfinishedKey, part: readonly RowImage[]): void {
  const undo = (images: readonly RowImage[]) =>
    tx.attempt(() => applyStep(tx, context, { label: '', images }, 'undo', { evenInConflict: true })).ok
  if (!undo(part)) for (const image of oneByOne(part)) undo([image])
  forgetPart(tx, key)
}

/** In the order in which rows can be undone by themselves: one that was created goes before its parent, the others come after theirs. */
const oneByOne = (part: readonly RowImage[]): RowImage[] => [
  ...part.filter(({ before }) => before === null).toReversed(),
  ...part.filter(({ before }) => before !== null),
]

/** Takes back unfinished work, last part first, and forgets the parts of finished work. */
export async function settleWork(mirror: Mirror, context: EditContext): Promise<void> {
  const keys = mirror.snapshot(unfinishedKeys).toSorted((a, b) => partOf(b) - partOf(a))
  for (const key of keys) {
    mirror.write((tx) => {
      const isUnfinished = getState(tx, partKey(workOf(key), 0)) !== null
      if (isUnfinished) takeBackPart(tx, context, key, JSON.parse(getState(tx, key) ?? '[]'))
      else forgetPart(tx, key)
    })
    await nextTurn()
  }
}

const workOf = (key: UnfinishedKey): string => key.slice('unfinished-'.length, key.lastIndexOf('-'))
const partOf = (key: UnfinishedKey): number => Number(key.slice(key.lastIndexOf('-') + 1))
