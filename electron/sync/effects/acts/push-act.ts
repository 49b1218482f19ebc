import { changesOfRow, getQueued, putChange } from '../../../mirror/queue-layer.ts'
import { isAct, type Act } from '../../../queue/entry.ts'
import type { EngineDeps } from '../engine-deps.ts'
import { wirePlace } from '../places.ts'
import type { Pushed } from '../push-change.ts'
import { done } from './act-ends.ts'
import { lookAtMember, pushMember } from './push-member.ts'
import { finishRollback, lookAtRollback, pushRollback } from './push-rollback.ts'
import { lookAtListLater, lookForSnapshot, noteVersions, pushSnapshot } from './push-snapshot.ts'

const environmentGone = 'What it belongs to is not on the server any more. Discard it.'

/**
 * Sends one eligible act and records how it ended. As with changes of rows: before `sending` is stored nothing was sent, and until
 * the answer is stored the outcome counts as unknown.
 */
export async function pushAct(deps: EngineDeps, chosen: Act): Promise<Pushed> {
  const noted = chosen.kind === 'snapshot' ? await noteVersions(deps, chosen) : null
  if (chosen.kind === 'snapshot' && noted?.ok === false) return lookAtListLater(deps, chosen, noted.error)
  const started = deps.mirror.write((tx): Act | Pushed => {
    const act = getQueued(tx, chosen.id)
    if (act === null || !isAct(act) || act.state !== 'queued' || JSON.stringify(act.detail) !== JSON.stringify(chosen.detail)) {
      return { do: 'again' }
    }
    if (act.rowKind === 'version' && wirePlace(tx, { rowKind: 'variable', ancestors: act.ancestors }) === null) {
      if (act.ancestors.some((id) => changesOfRow(tx, id).some((above) => above.kind === 'create'))) return { do: 'again' }
      putChange(tx, { ...act, state: 'failed', reason: environmentGone })
      return done
    }
    const marked: Act = act.kind === 'snapshot' && noted?.ok ? { ...act, detail: noted.value } : act
    const sending: Act = { ...marked, state: 'sending', attempts: act.attempts + 1, nextAttemptAt: null, reason: null }
    putChange(tx, sending)
    return sending
  })
  deps.onChange(['queue', 'versions', 'members'])
  if ('do' in started) return started
  switch (started.kind) {
    case 'snapshot':
      return pushSnapshot(deps, started)
    case 'rollback':
      return pushRollback(deps, started)
    default:
      return pushMember(deps, started)
  }
}

/** Settles an act whose outcome a crash or a lost answer left unknown. */
export function recoverAct(deps: EngineDeps, act: Act): Promise<Pushed> {
  switch (act.kind) {
    case 'snapshot':
      return lookForSnapshot(deps, act, null)
    case 'rollback':
      return act.detail.said === undefined ? lookAtRollback(deps, act, null) : finishRollback(deps, act, act.detail.said)
    default:
      return lookAtMember(deps, act, null)
  }
}
