import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { seenRow, type Seen } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking, hasTwoNamed, workingNamed } from '../../mirror/working-layer.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Row } from '../../queue/entry.ts'
import { sameField } from '../../queue/fields.ts'
import type { AppContext } from '../app-context.ts'
import { commit } from '../edits/edit.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { notFound } from '../edits/refusals.ts'
import { applyStep } from '../undo/apply-step.ts'
import { recordRows } from '../undo/record-rows.ts'
import type { RowImage } from '../undo/step.ts'
import { addVariable, deleteVariable } from '../variables/edit-variable.ts'
import { putVariable } from '../variables/put-variable.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import { cancelled, type Job } from './jobs.ts'
import { planEntry, type PlannedLine, type ImportOptions } from './plan-import.ts'

export interface Target {
  workspaceId: string
  environmentId: string
  /** The revision at which the user approved the lines. */
  seen: Seen
  options: ImportOptions
}

export interface Applied {
  added: number
  changed: number
  unchanged: number
  removed: number
}

/** An import of up to this many lines is one transaction. A larger one is saved in parts, so that other work doesn't wait long. */
const wholeLimit = 300
const partMs = 25
const partLimit = 500

const tables = ['environments', 'variables'] as const

/**
 * Applies the approved lines as one step of undo. Each line is planned again in the transaction that applies it, because the environment
 * may have changed since. If the import is cancelled or fails, all parts are undone.
 */
export async function applyImport(
  context: AppContext,
  target: Target,
  lines: readonly PlannedLine[],
  job: Job,
): Promise<Result<Applied, AppError>> {
  const parts: RowImage[][] = []
  const counts: Applied = { added: 0, changed: 0, unchanged: 0, removed: 0 }
  let at = 0
  while (at < lines.length) {
    const part = job.signal.aborted ? err(cancelled) : await applyPart(context, target, lines, at)
    if (!part.ok) {
      await undoParts(context, target.workspaceId, parts)
      return part
    }
    parts.push(part.value.images)
    for (const status of part.value.done) counts[status] += 1
    at += part.value.done.length
    job.report('saving', at, lines.length)
    if (at < lines.length) await nextTurn()
  }
  const images = parts.flat()
  if (images.length > 0) context.undo.add(target.workspaceId, { label: labelOf(images), images })
  return ok(counts)
}

const labelOf = (images: readonly RowImage[]): string =>
  images.length === 1 ? 'Import 1 variable' : `Import ${images.length.toLocaleString('en-US')} variables`

interface Part {
  images: RowImage[]
  done: (keyof Applied)[]
}

async function applyPart(
  context: AppContext,
  target: Target,
  lines: readonly PlannedLine[],
  from: number,
): Promise<Result<Part, AppError>> {
  const session = await context.workspaces.session(target.workspaceId)
  if (!session.ok) return session
  const recorder = recordRows()
  return commit(context, session.value, [...tables], (tx, editContext, open) => {
    const cipher = requireCipher(open)
    if (!cipher.ok) return cipher
    const environment = getWorking(tx, target.environmentId)
    if (environment?.kind !== 'environment') return notFound('environment')
    const part = lines.slice(from, from + partLimit)
    const present = workingNamed(
      tx,
      environment.id,
      part.map(({ name }) => name),
    )
    const until = lines.length <= wholeLimit ? Number.POSITIVE_INFINITY : performance.now() + partMs
    const done: Part['done'] = []
    const recording = { ...editContext, remember: recorder.remember }
    for (const line of part) {
      const applied = applyLine(tx, recording, cipher.value, { ...target, environment, existing: present.get(line.name) ?? null }, line)
      if (!applied.ok) return applied
      done.push(applied.value)
      if (performance.now() > until) break
    }
    return ok({ done, images: recorder.finish(tx) })
  })
}

function applyLine(
  tx: Tx,
  context: EditContext,
  cipher: WorkspaceCipher,
  { environmentId, seen, options, environment, existing: present }: Target & { environment: Row; existing: Row | null },
  { status, name, entry, existing }: PlannedLine,
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

/** Undoes the parts, last one first. Rows that others have changed since stay as they are. */
async function undoParts(context: AppContext, workspaceId: string, parts: readonly RowImage[][]): Promise<void> {
  for (const images of parts.toReversed()) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return
    const undo = (some: readonly RowImage[]): boolean =>
      commit(context, session.value, [...tables], (tx, editContext) => {
        // Also undoes the import of rows in conflict.
        const applied = applyStep(tx, editContext, { label: '', images: some }, 'undo', { evenInConflict: true })
        return applied.ok ? applied : err(applied.error.refusal)
      }).ok
    if (!undo(images)) for (const image of images) undo([image])
    await nextTurn()
  }
}
