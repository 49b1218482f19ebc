import { nonceOf } from '../../cipher/stored-value.ts'
import type { HeldValue, ShownValue, ValuePolicy } from '../../cipher/verify-value.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { findBase, getBase, getBaseByRemote } from '../../mirror/base-layer.ts'
import { getState } from '../../mirror/workspace-state.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import type { BaseRow } from '../../queue/entry.ts'
import { isAnothers, recall } from '../../mirror/superseded-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { ValueRules } from '../../sync/adapters/shared/value-rules.ts'
import type { WorkspaceInfo } from './workspace-info.ts'

/** Returns which values a workspace accepts now. This is set only on this computer: no answer of a service can change it. */
export const policyOf = (info: Pick<WorkspaceInfo, 'values'>, mirror: Mirror): ValuePolicy =>
  info.values ?? chosen(mirror.snapshot((tx) => getState(tx, 'values')))

const chosen = (values: string | null): ValuePolicy => (values === 'binding' || values === 'bound' ? values : 'open')

/** Returns the rules by which a workspace accepts remote values, with the values that its mirror knows. */
export const valueRules = (info: Pick<WorkspaceInfo, 'values' | 'remoteId'>, mirror: Mirror, cipher: WorkspaceCipher): ValueRules => ({
  cipher,
  workspaceId: info.remoteId,
  policy: oncePerTurn(() => policyOf(info, mirror)),
  memoryOf(shown) {
    const bound = { ...shown, nonce: nonceOf(shown.value) }
    let recalled: ReturnType<typeof recall> | null = null
    const inMirror = () => (recalled ??= mirror.snapshot((tx) => recall(tx, bound)))
    const ownIn = (tx: Tx) => heldIn(tx, getBaseByRemote(tx, 'variable', shown.remoteId))
    return {
      get own() {
        return inMirror().isKnown ? mirror.snapshot(ownIn) : null
      },
      get namesake() {
        return mirror.snapshot((tx) => namesakeOf(tx, shown, ownIn(tx)))
      },
      get isSuperseded() {
        return inMirror().isSuperseded
      },
      get isAnothers() {
        return mirror.snapshot((tx) => isAnothers(tx, bound))
      },
    }
  },
})

/** Caches an answer until the end of the turn. Nothing is written within a turn, and a page of a pull has a thousand values. */
function oncePerTurn<T>(ask: () => T): () => T {
  let known: { answer: T } | null = null
  return () => {
    if (known === null) {
      known = { answer: ask() }
      queueMicrotask(() => (known = null))
    }
    return known.answer
  }
}

/** Returns the variable whose name a record has now, if the record had another name before. */
function namesakeOf(tx: Tx, { environmentId, name }: ShownValue, own: HeldValue | null): HeldValue | null {
  if (own?.environmentId === environmentId && own.name === name) return null
  const environment = getBaseByRemote(tx, 'environment', environmentId)
  return environment === null ? null : heldIn(tx, findBase(tx, environment.id, name))
}

function heldIn(tx: Tx, row: BaseRow | null): HeldValue | null {
  const environment = row?.parentId == null ? null : getBase(tx, row.parentId)
  const { name, value, type = null, isSecret = null } = row?.fields ?? {}
  if (environment === null || name === undefined || value === undefined) return null
  const { sealed, tag, keyId } = value
  return { environmentId: environment.remoteId, name, sealed, tag, keyId, type, isSecret }
}
