import type { KnownRecord } from '../../../service/protocol/thread.ts'
import { partsOfStored } from '../../cipher/stored-value.ts'
import { allBase } from '../../mirror/base-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { BaseRow } from '../../queue/entry.ts'

/** Returns every record as the service last showed it, with its remote id, parents first. */
export function knownRecords(tx: Tx): KnownRecord[] {
  const rows = allBase(tx)
  const remoteIds = new Map(rows.map((row) => [row.id, row.remoteId]))
  const of = (kind: BaseRow['kind']) => rows.filter((row) => row.kind === kind)
  const parentOf = (row: BaseRow) => (row.parentId === null ? undefined : remoteIds.get(row.parentId))
  return [...of('project'), ...of('environment'), ...of('variable')].flatMap((row) => recordOf(row, parentOf(row)) ?? [])
}

/** Returns the record of a row; null: the row lacks a required field. */
function recordOf({ kind, remoteId: id, fields }: BaseRow, parentId: string | undefined): KnownRecord | null {
  const { name, slug, value, type, isSecret } = fields
  if (name === undefined) return null
  if (kind === 'project') return slug === undefined ? null : { op: 'create', resource: 'project', id, fields: { name, slug } }
  if (parentId === undefined) return null
  if (kind === 'environment')
    return slug === undefined ? null : { op: 'create', resource: 'environment', id, parentId, fields: { name, slug } }
  if (value === undefined) return null
  const known = { ...(type === undefined ? {} : { type }), ...(isSecret === undefined ? {} : { isSecret }) }
  return { op: 'create', resource: 'variable', id, parentId, fields: { name, value: partsOfStored(value.sealed).sealed, ...known } }
}
