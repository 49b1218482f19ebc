import type { Table } from '../../bridge/contract.ts'
import { err, ok, type Edited, type Result } from '../../bridge/result.ts'
import { seenRow, type Seen } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking, hasTwoNamed, workingNamed } from '../../mirror/working-layer.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Row } from '../../queue/entry.ts'
import { sameField } from '../../queue/fields.ts'
import type { AppContext } from '../app-context.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { editLabel } from '../edits/edit.ts'
import { editInParts, type BeginPart } from '../edits/edit-in-parts.ts'
import { notFound } from '../edits/refusals.ts'
import type { RowImage } from '../undo/step.ts'
import { addVariable, deleteVariable, updateVariable } from '../variables/edit-variable.ts'
import { putVariable } from '../variables/put-variable.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import { cancelled, type Job } from '../jobs.ts'
import { planEntry, type PlannedLine, type ImportOptions } from './plan-import.ts'

export interface Target {
  workspaceId: string
  environmentId: string
  /** The revision at which the user approved the lines. */
  seen: Seen
  options: ImportOptions
  /** Names the step of undo after its changes, not after an import. */
  asText: boolean
}

export interface Applied {
  added: number
  changed: number
  renamed: number
  unchanged: number
  removed: number
}

const tables: Table[] = ['environments', 'variables']

/**
 * Applies the approved lines. Each line is planned again in the transaction that applies it, because the environment may have changed
 * since. If the import is cancelled or fails, it is undone.
 */
export async function applyImport(context: AppContext, target: Target, lines: readonly PlannedLine[], job: Job): Promise<Edited<Applied>> {
  const counts: Applied = { added: 0, changed: 0, renamed: 0, unchanged: 0, removed: 0 }
  const begin: BeginPart<PlannedLine> = (tx, editContext, session, ahead) => {
    const cipher = requireCipher(session)
    if (!cipher.ok) return cipher
    const environment = getWorking(tx, target.environmentId)
    if (environment?.kind !== 'environment') return notFound('environment')
    const present = workingNamed(
      tx,
      environment.id,
      ahead.map(({ name }) => name),
    )
    return ok((line) => {
      const applied = applyLine(tx, editContext, cipher.value, { ...target, environment, existing: present.get(line.name) ?? null }, line)
      if (applied.ok) counts[applied.value] += 1
      return applied.ok ? ok(null) : applied
    })
  }
  const beforePart = (saved: number): Result<null> => {
    job.report('saving', saved, lines.length)
    return job.signal.aborted ? err(cancelled) : ok(null)
  }
  const done = await editInParts(context, target.workspaceId, {
    tables,
    pieces: lines,
    begin,
    beforePart,
    label: target.asText ? editLabel : importLabel,
  })
  if (!done.ok) return done
  job.report('saving', lines.length, lines.length)
  return { ...done, value: counts }
}

const importLabel = (images: readonly RowImage[]): string =>
  images.length === 1 ? 'Import 1 variable' : `Import ${images.length.toLocaleString('en-US')} variables`

function applyLine(
  tx: Tx,
  context: EditContext,
  cipher: WorkspaceCipher,
  { environmentId, seen, options, environment, existing: present }: Target & { environment: Row; existing: Row | null },
  { status, name, entry, existing, former }: PlannedLine,
): Result<keyof Applied> {
  if (status === 'removed' && existing !== null) {
    // The user approved removing the shown row, not a row that was added, renamed or edited since.
    const now = getWorking(tx, existing.id)
    const isAsPlanned = now?.parentId === environmentId && now.fields.name === name && sameField(now.fields.value, existing.fields.value)
    if (!isAsPlanned || seenRow(tx, existing.id, seen)?.parentId !== environmentId) return ok('unchanged')
    deleteVariable(tx, context, existing.id, seen)
    return ok('removed')
  }
  // Two variables have the name since the preview: which of them is meant is not known.
  const isAmbiguous = present !== null && hasTwoNamed(tx, environmentId, name)
  if (entry === null || isAmbiguous) return ok('unchanged')
  const line = planEntry(entry, present, options, cipher.keyId)
  if (line.existing === null) {
    if (former !== undefined && isRenamable(tx, former, { environmentId, seen })) {
      const chosen = options.secret.get(name)
      // A variable of unknown secrecy was shown as a secret, so that “secret” changes nothing.
      const isOther = chosen !== undefined && chosen !== (former.fields.isSecret ?? true)
      const fields = { name, value: entry.value, ...(entry.type && { type: entry.type }), ...(isOther && { isSecret: chosen }) }
      const done = updateVariable(tx, context, cipher, { id: former.id, seen, ...fields })
      return done.ok ? ok('renamed') : done
    }
    addVariable(tx, context, environment, {
      name,
      value: cipher.seal(entry.value, entry.tag),
      type: line.type ?? 'string',
      isSecret: line.isSecret,
    })
    return ok('added')
  }
  if (line.status !== 'changed') return ok('unchanged')
  const chosen = options.secret.get(name)
  const fields = {
    name,
    value: cipher.seal(entry.value, entry.tag),
    ...(entry.type === null ? {} : { type: entry.type }),
    ...(chosen === undefined ? {} : { isSecret: chosen }),
  }
  putVariable(tx, context, environment, fields, 'overwrite', seen)
  return ok('changed')
}

/** Whether a variable still has the name that the user saw: if others renamed, moved or deleted it since, the line makes a new one. */
const isRenamable = (tx: Tx, { id, fields }: Row, { environmentId, seen }: Pick<Target, 'environmentId' | 'seen'>): boolean =>
  [getWorking(tx, id), seenRow(tx, id, seen)].every((row) => row?.parentId === environmentId && row.fields.name === fields.name)
