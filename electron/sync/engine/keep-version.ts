import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Tx } from '../../mirror/tx.ts'
import { addToVersion, completeVersion, getVersionByRemote } from '../../mirror/versions-layer.ts'
import { writeVersion } from '../../mirror/write-metadata.ts'
import type { RemoteVersionRow } from '../port.ts'
import { slicesOf } from '../slices.ts'
import type { EngineDeps } from './engine-deps.ts'

type Deps = Pick<EngineDeps, 'mirror' | 'newId'>

/** How many variables one transaction writes, in some 10 ms. */
const sliceSize = 2000

/**
 * Writes a version that was read by its id, in slices: 100,000 variables in one transaction would block everything else for half a second.
 * The version counts as mirrored only once all variables are written. What a version holds never changes, so a mirrored one is left as it is,
 * and two writers of one version write the same. Returns its local id; null: it was deleted in the meantime.
 */
export async function keepVersion({ mirror, newId }: Deps, version: RemoteVersionRow): Promise<string | null> {
  const variables = version.variables ?? []
  const slices = slicesOf(variables, sliceSize, ({ value }) => value.sealed.length)
  const isSliced = slices.length > 1
  const first = mirror.write((tx) => {
    const isMirrored = getVersionByRemote(tx, version.remoteId)?.is_mirrored === 1
    const part = isMirrored || isSliced ? { ...version, variables: null } : version
    return { isMirrored, id: writeVersion(tx, part, newId(), false).id }
  })
  if (first.isMirrored || !isSliced) return first.id
  for (const slice of slices) {
    await nextTurn()
    if (!inVersion(mirror, version, (tx, id) => addToVersion(tx, id, slice))) return null
  }
  const names = new Set(variables.map(({ name }) => name))
  return inVersion(mirror, version, (tx, id) => completeVersion(tx, id, names))
}

/**
 * Returns the local id, which may change between two transactions if this version turns out to be the result of a snapshot; null: it was
 * deleted.
 */
const inVersion = ({ write }: Deps['mirror'], { remoteId }: RemoteVersionRow, work: (tx: Tx, id: string) => void): string | null =>
  write((tx) => {
    const id = getVersionByRemote(tx, remoteId)?.id ?? null
    if (id !== null) work(tx, id)
    return id
  })
