import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppError } from '../../bridge/app-error.ts'
import { importLimitBytes } from '../../bridge/contract.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { ImportFormat, Rename } from '../../bridge/rows.ts'
import { newestRev, type Seen } from '../../mirror/past-layer.ts'
import { getWorking, workingChildren } from '../../mirror/working-layer.ts'
import { checkImportText } from '../../transfer/check-import-text.ts'
import { notFound } from '../edits/refusals.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { cancelled, type Job } from '../jobs.ts'
import { findRenames, planImport, prepareEntry, optionsOf, type ImportArgs, type PlannedLine, type PreparedEntry } from './plan-import.ts'
import { readAside } from './read-aside.ts'

export interface PlannedText {
  format: ImportFormat
  lines: PlannedLine[]
  renames: Rename[]
  /** The revision of the mirror that it was compared with. */
  rev: Seen
}

/**
 * Reads a text and compares it with an environment, in slices. Errors: `too-large`, `not-text`, `invalid-input` for a text that is invalid
 * in its format, `not-found`, `cancelled`, and those of `requireCipher`.
 */
export async function planText(session: WorkspaceSession, args: ImportArgs, job: Job): Promise<Result<PlannedText, AppError>> {
  const cipher = requireCipher(session)
  if (!cipher.ok) return cipher
  const checked = checkImportText(args.text, importLimitBytes)
  if (!checked.ok) return checked
  if (session.mirror.snapshot((tx) => getWorking(tx, args.environmentId))?.kind !== 'environment') return notFound('environment')
  job.report('reading', 0, args.text.length)
  const outcome = await readAside(args.text, args.format ?? 'auto', job.signal)
  if (outcome === null) return err(cancelled)
  if (!outcome.ok) return err({ kind: 'invalid-input', field: 'text', message: outcome.problem })
  const { entries, invalid } = outcome.read
  const prepared: PreparedEntry[] = []
  const isWhole = await inSlices(
    entries,
    (entry) => prepared.push(prepareEntry(entry, cipher.value)),
    job.signal,
    (done) => job.report('comparing', done, entries.length),
  )
  if (!isWhole) return err(cancelled)
  const planned = session.mirror.snapshot((tx) => {
    if (getWorking(tx, args.environmentId)?.kind !== 'environment') return null
    const present = workingChildren(tx, 'variable', args.environmentId)
    const lines = planImport(prepared, invalid, present, optionsOf(args), cipher.value.keyId)
    return { lines, renames: findRenames(lines, cipher.value.keyId), rev: newestRev(tx) }
  })
  return planned === null ? notFound('environment') : ok({ format: outcome.format, ...planned })
}

/** The longest that one slice may block other work. */
const sliceMs = 12

/**
 * Runs `each` on all items, in slices of a few milliseconds. Calls `report` with the count after each slice. Ends early and returns false if
 * `signal` aborts.
 */
async function inSlices<T>(
  items: readonly T[],
  each: (item: T) => void,
  signal: AbortSignal,
  report: (done: number) => void,
): Promise<boolean> {
  let until = performance.now() + sliceMs
  for (const [index, item] of items.entries()) {
    each(item)
    if (performance.now() < until) continue
    report(index + 1)
    await nextTurn()
    if (signal.aborted) return false
    until = performance.now() + sliceMs
  }
  return !signal.aborted
}
