import type { HeldValue, ValueMemory, ValuePolicy } from '../../cipher/verify-value.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { findBase, getBase, getBaseByRemote } from '../../mirror/base-layer.ts'
import { getState } from '../../mirror/workspace-state.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import type { BaseRow } from '../../queue/entry.ts'
import { isSuperseded } from '../../mirror/superseded-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { ValueRules } from '../../sync/adapters/shared/value-rules.ts'
import type { WorkspaceInfo } from './workspace-info.ts'

/** Which values a workspace accepts now. Set on this computer only: no answer of a service can change it. */
export const policyOf = (info: Pick<WorkspaceInfo, 'values'>, mirror: Mirror): ValuePolicy =>
  info.values ?? chosen(mirror.snapshot((tx) => getState(tx, 'values')))

const chosen = (values: string | null): ValuePolicy => (values === 'binding' || values === 'bound' ? values : 'open')

/** The rules by which a workspace decides which remote values to accept, with the values that its mirror remembers. */
export const valueRules = (info: Pick<WorkspaceInfo, 'values' | 'remoteId'>, mirror: Mirror, cipher: WorkspaceCipher): ValueRules => ({
  cipher,
  workspaceId: info.remoteId,
  policy: oncePerTurn(() => policyOf(info, mirror)),
  memoryOf: (shown) => ({
    get present() {
      return mirror.snapshot((tx) => presentOf(tx, shown))
    },
    isSuperseded: (nonce) => mirror.snapshot((tx) => isSuperseded(tx, nonce, shown.name)),
  }),
})

/** Caches an answer until the end of the turn: nothing is written within one, and a page of a pull has a thousand values. */
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

/** The record as the service last showed it; under another name, then the variable whose name it now has. */
function presentOf(
  tx: Tx,
  { remoteId, environmentId, name }: { remoteId: string; environmentId: string; name: string },
): ValueMemory['present'] {
  const environment = getBaseByRemote(tx, 'environment', environmentId)
  const own = heldIn(tx, getBaseByRemote(tx, 'variable', remoteId))
  if (environment === null || own.some((held) => held.environmentId === environmentId && held.name === name)) return own
  return [...own, ...heldIn(tx, findBase(tx, environment.id, name))]
}

function heldIn(tx: Tx, row: BaseRow | null): HeldValue[] {
  const environment = row?.parentId == null ? null : getBase(tx, row.parentId)
  const { name, value, type = null, isSecret = null } = row?.fields ?? {}
  if (environment === null || name === undefined || value === undefined) return []
  return [{ environmentId: environment.remoteId, name, sealed: value.sealed, tag: value.tag, type, isSecret }]
}
