import type { HistoryRow } from '../../bridge/rows.ts'
import { deleterOf } from '../../mirror/deleted-layer.ts'
import { historyOf, type HistoryEntry } from '../../mirror/history-layer.ts'
import { revOf } from '../../mirror/past-layer.ts'
import { isUnverified } from '../../cipher/stored-value.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getWorking } from '../../mirror/working-layer.ts'
import { ancestorsBelow } from '../../queue/ancestors.ts'
import type { Row } from '../../queue/entry.ts'
import { sameField } from '../../queue/fields.ts'
import { whereOf } from '../queue/describe-change.ts'
import { secrecyOfKept } from './secrecy-of-kept.ts'

/** The most that one list shows. */
const limit = 500

interface Asked {
  environmentId: string | null
  variableId: string | null
  /** Whether the user is alone in the workspace. Every change by the service, such as a rollback, is then theirs. */
  isOwn: boolean
}

/**
 * Returns kept values, newest first. `unnamed`: the entries of values that others deleted with an environment or project, as long as it isn't
 * known who.
 */
export function listHistory(tx: Tx, of: Asked): { rows: HistoryRow[]; unnamed: number[] } {
  const entries = historyOf(tx, of.environmentId, of.variableId, limit)
  const isSecret = secrecyOfKept(tx, entries)
  const unnamed: number[] = []
  const rows = entries.map((entry) => {
    const isUnnamed = !of.isOwn && entry.why === 'deleted' && entry.whose === 'theirs' && entry.by === null
    const by = isUnnamed ? deleterOf(tx, entry) : entry.by
    if (by === null && isUnnamed) unnamed.push(entry.seq)
    const said = { ...entry, by: by ?? null, ...(of.isOwn && { whose: 'mine' as const }) }
    return { ...toRow(tx, said, of.variableId), isSecret: isSecret(entry) }
  })
  return { rows, unnamed }
}

const valueOf = ({ sealed, tag, key_id: keyId }: HistoryEntry) => ({ sealed, tag, keyId })

/**
 * Returns the variable and the environment that a kept value would be restored in. In the history of its variable (`variableId`), that is
 * the variable, in whatever environment it is now. In any other list it is the environment where the value was overwritten: its variable,
 * or if that is in another environment now, the one that has its name (`row`: null if none has).
 */
export function presentOf(tx: Tx, entry: HistoryEntry, variableId: string | null): { row: Row | null; environment: Row | null } {
  const own = getWorking(tx, entry.row_id)
  const isOwn = own !== null && (own.id === variableId || own.parentId === entry.parent_id)
  const environmentId = isOwn ? own.parentId : entry.parent_id
  const environment = environmentId === null ? null : getWorking(tx, environmentId)
  return { row: isOwn ? own : environment && findWorking(tx, 'variable', environment.id, entry.name), environment }
}

function toRow(tx: Tx, entry: HistoryEntry, variableId: string | null): Omit<HistoryRow, 'isSecret'> {
  const { row, environment } = presentOf(tx, entry, variableId)
  return {
    entry: entry.seq,
    variableId: entry.row_id,
    environmentId: environment?.id ?? null,
    name: entry.name,
    where: environment === null ? '' : whereOf(tx, { ancestors: ancestorsBelow(environment) }),
    whose: entry.whose,
    why: entry.why,
    by: entry.by,
    at: new Date(entry.at).toISOString(),
    canRestore: !isUnverified(entry.sealed) && environment !== null && !sameField(row?.fields.value, valueOf(entry)),
    rev: row === null ? 0 : revOf(tx, row.id),
  }
}
