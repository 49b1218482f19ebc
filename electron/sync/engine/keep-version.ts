import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Tx } from '../../mirror/tx.ts'
import { addToVersion, completeVersion, emptyVersion, getVersionByRemote } from '../../mirror/versions-layer.ts'
import { writeVersion } from '../../mirror/write-metadata.ts'
import type { RemoteVersionRow } from '../port.ts'
import { slicesOf } from '../slices.ts'
import type { EngineDeps } from './engine-deps.ts'

type Deps = Pick<EngineDeps, 'mirror' | 'newId'>

/** How many variables one transaction writes, in some 10 ms. */
const sliceSize = 2000

/** The last write. Writes run one after another, because two writers of one version would delete each other's variables. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Writes a version that was read by its id, in slices: 100,000 variables in one transaction would block everything else for half a second.
 * The version counts as mirrored only once all variables are written, so after a crash it is read again. Returns its local id; null: it was
 * deleted in the meantime.
 */
export function keepVersion(deps: Deps, version: RemoteVersionRow): Promise<string | null> {
  const written = last.then(() => writeInSlices(deps, version))
  last = written.catch(() => {})
  return written
}

async function writeInSlices({ mirror, newId }: Deps, version: RemoteVersionRow): Promise<string | null> {
  const slices = slicesOf(version.variables ?? [], sliceSize, ({ value }) => value.sealed.length)
  if (slices.length < 2) return mirror.write((tx) => writeVersion(tx, version, newId(), false).id)
  mirror.write((tx) => writeVersion(tx, { ...version, variables: null }, newId(), false))
  // Its local id may change between two transactions, if this version turns out to be the result of a snapshot.
  const inVersion = <T>(work: (tx: Tx, id: string) => T): T | null =>
    mirror.write((tx) => {
      const found = getVersionByRemote(tx, version.remoteId)
      return found === null ? null : work(tx, found.id)
    })
  while ((inVersion((tx, id) => emptyVersion(tx, id, sliceSize)) ?? 0) > 0) await nextTurn()
  for (const slice of slices) {
    await nextTurn()
    inVersion((tx, id) => addToVersion(tx, id, slice))
  }
  return inVersion((tx, id) => {
    completeVersion(tx, id, version.variables?.length ?? 0)
    return id
  })
}
