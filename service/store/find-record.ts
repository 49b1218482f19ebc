import type { AnyRecord, RecordResource } from '../protocol/changes.ts'
import { environmentRecord, findEnvironment } from './environments.ts'
import { findMember, memberRecord } from './members.ts'
import { findProject, projectRecord } from './projects.ts'
import type { Db } from './store.ts'
import { findVariable, variableRecord, withValue } from './variables.ts'
import type { VariableRow } from './variables.ts'
import { findVersion, versionRecord } from './versions.ts'

export interface FoundRecord {
  seq: number
  record: AnyRecord
}

const finder =
  <Row extends { seq: number }>(find: (db: Db, id: string) => Promise<Row | null>, shape: (row: Row) => AnyRecord) =>
  async (db: Db, id: string): Promise<FoundRecord | null> => {
    const row = await find(db, id)
    return row === null ? null : { seq: row.seq, record: shape(row) }
  }

const findWhole = async (db: Db, id: string): Promise<VariableRow | null> => {
  const known = await findVariable(db, id)
  return known && withValue(db, known)
}

const finders: { readonly [R in RecordResource]: (db: Db, id: string) => Promise<FoundRecord | null> } = {
  project: finder(findProject, projectRecord),
  environment: finder(findEnvironment, environmentRecord),
  variable: finder(findWhole, variableRecord),
  version: finder(findVersion, versionRecord),
  member: finder(findMember, memberRecord),
}

/** The record with this id as the feed shows it, or null. */
export const findRecord = (db: Db, resource: RecordResource, id: string): Promise<FoundRecord | null> => finders[resource](db, id)
