import { deleteBase } from '../../mirror/base-layer.ts'
import { dropTrackedRow } from '../../mirror/tracked-layer.ts'
import { keepHistory } from '../../mirror/history-layer.ts'
import { deleteMember } from '../../mirror/members-layer.ts'
import { deleteRemote, forgetPast, putRemote } from '../../mirror/past-layer.ts'
import { addEntry, advance, getEntryAt } from '../../mirror/queue-layer.ts'
import { rebind } from '../../mirror/rebind.ts'
import type { Tx } from '../../mirror/tx.ts'
import { refreshRow } from '../../mirror/working-layer.ts'
import { conflictReason } from '../plan/conflict-reason.ts'
import type { Step } from '../plan/step.ts'
import type { EngineDeps } from './engine-deps.ts'
import { writeMember, writeVersion } from './write-metadata.ts'

/** Carries out the steps of a plan, in the transaction that its facts were read in. */
export function writeSteps(tx: Tx, steps: readonly Step[], deps: Pick<EngineDeps, 'now' | 'newId'>): void {
  for (const step of steps) writeStep(tx, step, deps)
}

function writeStep(tx: Tx, step: Step, deps: Pick<EngineDeps, 'now' | 'newId'>): void {
  const now = deps.now()
  switch (step.do) {
    case 'advance': {
      // An earlier step may have given the entry other bytes; its place in the queue stays.
      const entry = getEntryAt(tx, step.entry.seq)
      if (entry !== null) advance(tx, entry, step.event)
      return
    }
    case 'add': {
      const { change, conflict } = step
      const entry = addEntry(tx, { ...change, id: deps.newId(), kind: 'create', leaves: [], seen: null, createdAt: now })
      if (conflict !== null) advance(tx, entry, { is: 'park', conflict, reason: conflictReason(conflict.kind) })
      return
    }
    case 'write':
      return putRemote(tx, step.row, step.expected, now)
    case 'rebind':
      return rebind(tx, step.from, step.to)
    case 'keep':
      return keepHistory(tx, step.row, step.overwrite, now)
    case 'forget':
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
