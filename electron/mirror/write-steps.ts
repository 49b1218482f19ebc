import { deleteBase } from './base-layer.ts'
import { keepDeleted } from './deleted-layer.ts'
import { dropTrackedRow } from './tracked-layer.ts'
import { insertRemotes } from './insert-remotes.ts'
import { keepHistory } from './history-layer.ts'
import { deleteMember } from './members-layer.ts'
import { deleteRemote, forgetPast, putRemote } from './past-layer.ts'
import { factsIn } from './plan-facts.ts'
import { addEntry, advance, confirmEntry, getEntryAt } from './queue-layer.ts'
import { forgetNamesakes } from './superseded-layer.ts'
import { rebind } from './rebind.ts'
import type { Tx } from './tx.ts'
import { refreshRow } from './working-layer.ts'
import { conflictReason } from '../sync/plan/conflict-reason.ts'
import type { Facts, Step } from '../sync/plan/step.ts'
import type { EnqueueContext } from './enqueue.ts'
import { writeMember, writeVersion } from './write-metadata.ts'

/** Makes a plan from facts read in this transaction, and writes its steps. */
export function carryOut(tx: Tx, context: EnqueueContext, plan: (facts: Facts) => readonly Step[]): void {
  writeSteps(tx, plan(factsIn(tx, context)), context)
}

/** Writes the steps of a plan, in the transaction that read its facts. */
export function writeSteps(tx: Tx, steps: readonly Step[], context: EnqueueContext): void {
  for (const step of steps) writeStep(tx, step, context)
}

function writeStep(tx: Tx, step: Step, context: EnqueueContext): void {
  const { now } = context
  switch (step.do) {
    case 'advance': {
      // A confirmed entry leaves the queue whatever an earlier step made of it. It is not read: it may have megabytes.
      if (step.event.is === 'confirm') return confirmEntry(tx, step.entry.seq)
      // An earlier step may have changed the entry; its `seq` stays the same.
      const entry = getEntryAt(tx, step.entry.seq)
      if (entry !== null) advance(tx, entry, step.event)
      return
    }
    case 'add': {
      const { change, conflict } = step
      const entry = addEntry(tx, { ...change, id: context.newId(), kind: 'create', leaves: [], seen: null, createdAt: now })
      if (conflict !== null) advance(tx, entry, { is: 'park', conflict, reason: conflictReason(conflict.kind) })
      return
    }
    case 'insert':
      return insertRemotes(tx, [step.row])
    case 'write':
      return putRemote(tx, step.row, step.expected, now)
    case 'rebind':
      return rebind(tx, step.from, step.to)
    case 'keep':
      return keepHistory(tx, step.row, step.overwrite, now)
    case 'forget':
      if (step.row.kind === 'environment') forgetNamesakes(tx, step.row.id)
      if (step.kept !== null) keepDeleted(tx, [step.row.id], { whose: step.whose, by: step.kept.by }, now)
      if (step.whose === 'theirs') return deleteRemote(tx, step.row, now)
      deleteBase(tx, step.row.id)
      return forgetPast(tx, step.row.id)
    case 'refresh':
      return refreshRow(tx, step.rowId)
    case 'untrack':
      return dropTrackedRow(tx, step.rowId)
    case 'write-version':
      writeVersion(tx, step.version, step.id, true)
      return
    case 'write-member':
      writeMember(tx, step.member, step.id, true)
      return
    case 'delete-member':
      return deleteMember(tx, step.id)
  }
}
