import { putVariablesOfVersion } from '../../../mirror/versions-layer.ts'
import type { WorkspaceCipher } from '../../../cipher/workspace-cipher.ts'
import type { Tx } from '../../../mirror/tx.ts'
import type { RemoteVersion } from '../../../remote/remote.ts'
import { applyVersion } from '../apply-version.ts'

/**
 * Keeps a version that was read, with its variables where the answer has them; gives its local id. The given function seals what came in plain before the
 * transaction begins, so that no text touches the disk and a large version holds up nobody.
 */
export function sealVersion(cipher: Pick<WorkspaceCipher, 'accept'>, version: RemoteVersion): (tx: Tx, newId: () => string) => string {
  const variables = version.variables?.map(({ name, value }) => ({ name, value: cipher.accept(value) }))
  return (tx, newId) => {
    const { id } = applyVersion(tx, version, newId)
    // An answer that leaves them out says nothing of what the version holds.
    if (variables !== undefined) putVariablesOfVersion(tx, id, variables)
    return id
  }
}
