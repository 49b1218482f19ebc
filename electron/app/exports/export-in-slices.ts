import { setImmediate as nextTurn } from 'node:timers/promises'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { ExportFormat } from '../../bridge/rows.ts'
import type { ExportEntry } from '../../transfer/export/export-entry.ts'
import { exportFormats } from '../../transfer/export/export-formats.ts'
import { exportPart, exportText, joinParts, type Exported, type ExportedPart } from '../../transfer/export/export-text.ts'
import { cancelled } from '../jobs.ts'

const slice = 500

/**
 * Like `exportText`, but in slices if the parts of the format can be joined, so that other work can run in between. Error: `cancelled`, if
 * `signal` is aborted then.
 */
export async function exportInSlices(
  format: ExportFormat,
  entries: readonly ExportEntry[],
  title: string,
  masked: boolean,
  signal: AbortSignal,
): Promise<Result<Exported>> {
  if (!exportFormats[format].isJoinable || entries.length <= slice) return ok(exportText(format, entries, title, masked))
  const parts: ExportedPart[] = []
  for (let at = 0; at < entries.length; at += slice) {
    parts.push(exportPart(format, entries.slice(at, at + slice), title, masked))
    await nextTurn()
    if (signal.aborted) return err(cancelled)
  }
  return ok(joinParts(format, parts))
}
