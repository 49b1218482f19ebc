import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { isUnverified } from '../../cipher/stored-value.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { getBase, putBase } from '../../mirror/base-layer.ts'
import type { EnqueueContext } from '../../mirror/enqueue.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { allEntries, getEntryAt, putSealedAnew } from '../../mirror/queue-layer.ts'
import { ofOtherKeysAfter, reseal } from '../../mirror/reseal.ts'
import type { Tx } from '../../mirror/tx.ts'
import { rereadUnverifiedVersions } from '../../mirror/versions-layer.ts'
import { refreshRow } from '../../mirror/working-layer.ts'
import { getState, setState } from '../../mirror/workspace-state.ts'
import { isOperation } from '../../queue/entry.ts'
import { inSlices } from '../in-slices.ts'

/** How many values are opened in one transaction, so that other work doesn't have to wait. */
const slice = 100

/**
 * Brings the mirror to a workspace key that replaced another one; call it before sync starts with the key. Seals unsent values with it, and
 * queues the service's values of former keys to be sealed again. The next pull reads everything, and verifies the values that the former
 * key didn't open. The key id is written last, so a crash repeats this. Throws once the cipher is wiped: its values would count as those of
 * another key.
 */
export async function takeNewKey(mirror: Mirror, cipher: WorkspaceCipher, context: () => EnqueueContext): Promise<void> {
  if (mirror.snapshot((tx) => getState(tx, 'key-id')) === cipher.keyId) return
  await sealUnsent(mirror, cipher)
  let isReplaced = false
  await inSlices((after) =>
    mirror.write((tx) => {
      const others = ofOtherKeysAfter(tx, cipher.keyId, after, slice)
      for (const { id, sealed } of others) if (!isUnverified(sealed)) takeValue(tx, id, sealed, cipher, context())
      isReplaced ||= others.length > 0
      return others
    }),
  )
  mirror.write((tx) => {
    if (isReplaced) {
      rereadUnverifiedVersions(tx)
      setState(tx, 'feed-cursor', null)
    }
    setState(tx, 'key-id', cipher.keyId)
  })
}

/** Seals the unsent values of former keys again: the service's answer has another tag, and a change would not count as confirmed. */
async function sealUnsent(mirror: Mirror, cipher: WorkspaceCipher): Promise<void> {
  const places = mirror.snapshot(allEntries).map(({ seq }) => seq)
  for (let from = 0; from < places.length; from += slice) {
    mirror.write((tx) => {
      for (const seq of places.slice(from, from + slice)) sealEntry(tx, seq, cipher)
    })
    await yieldToOthers()
  }
}

function sealEntry(tx: Tx, seq: number, cipher: WorkspaceCipher): void {
  const entry = getEntryAt(tx, seq)
  if (entry === null || isOperation(entry) || entry.patch.value === undefined || entry.patch.value.keyId === cipher.keyId) return
  const value = cipher.tagged(entry.patch.value.sealed)
  if (value.tag === null) return
  putSealedAnew(tx, entry, { ...entry.patch.value, ...value })
  refreshRow(tx, entry.rowId)
}

function takeValue(tx: Tx, id: string, sealed: string, cipher: WorkspaceCipher, context: EnqueueContext): void {
  const value = cipher.tagged(sealed)
  if (value.tag === null) return
  const row = getBase(tx, id)
  if (value.sealed !== sealed) reseal(tx, id, context)
  else if (row !== null) {
    // Sync takes the same sealed text for the same value, and would not tag it.
    putBase(tx, { ...row, fields: { ...row.fields, value } })
    refreshRow(tx, id)
  }
}
