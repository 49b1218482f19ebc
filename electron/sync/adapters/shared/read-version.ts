import { ok } from '../../../bridge/result.ts'
import type { Remote } from '../../../remote/remote.ts'
import type { SyncPort } from '../../port.ts'
import { failed } from './failures.ts'
import { inTurns } from './in-turns.ts'
import { savedRow, versionRow, weightOfSaved } from './remote-rows.ts'
import type { Accept } from './value-rules.ts'

/** A version with its variables (operation 11); null: the service does not have it. */
export async function readVersion(remote: Remote, accept: Accept, remoteId: string): ReturnType<SyncPort['readVersion']> {
  const read = await remote.getVersion(remoteId)
  if (!read.ok) return read.error.kind === 'missing' ? ok(null) : failed(read.error)
  const { variables, ...version } = read.value
  const row = versionRow(version, accept)
  if (variables === undefined) return ok(row)
  return ok({ ...row, variables: await inTurns(variables, weightOfSaved, (saved) => savedRow(version, saved, accept)) })
}
