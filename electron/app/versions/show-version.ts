import type { Queries } from '../../bridge/contract.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { ConflictSide, RollbackPreview, VersionDetail, VersionValues } from '../../bridge/rows.ts'
import { isBoundAsPlain } from '../../cipher/verify-value.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { findBase } from '../../mirror/base-layer.ts'
import { historyNamed } from '../../mirror/history-layer.ts'
import { countVariableChanges } from '../../mirror/queue-layer.ts'
import { inNameOrder } from '../../mirror/name-key.ts'
import { secrecyOfKept, type Kept } from '../history/secrecy-of-kept.ts'
import { lacksRowLists } from '../capabilities/limit-of.ts'
import type { Tx } from '../../mirror/tx.ts'
import { variablesOfVersion } from '../../mirror/versions-layer.ts'
import { findWorking, variablesIn } from '../../mirror/working-layer.ts'
import { planFromWorking } from '../../mirror/preview-rollback.ts'
import { sameField, type SealedValue } from '../../queue/fields.ts'
import { planRollback, type RollbackPlan } from '../../sync/plan/plan-rollback.ts'
import { shownValue } from '../variables/shown-value.ts'
import { findMirrored } from './find-version.ts'
import { versionRow } from './list-versions.ts'

/** The most names that a preview lists. */
const nameLimit = 1000

/** Compares a version with its environment. */
export function showVersion(tx: Tx, args: Omit<Queries['versions.show']['args'], 'workspaceId'>): Result<VersionDetail> {
  const found = findMirrored(tx, args.versionId)
  if (!found.ok) return found
  const { version, environment } = found.value
  const now = variablesIn(tx, environment.id)
  const plan = planRollback(
    now.map((row) => row.fields),
    variablesOfVersion(tx, version.id),
  )
  const secrecy = new Map(now.map(({ fields }) => [fields.name, fields.isSecret]))
  const part = args.filter.toLowerCase()
  const matching = inNameOrder(
    plan.variables.filter(
      ({ name, does }) => (args.only === 'all' || does !== 'same') && (part === '' || name.toLowerCase().includes(part)),
    ),
  )
  return ok({
    version: versionRow(version, environment.id),
    counts: { ...plan.counts, same: plan.same },
    total: matching.length,
    offset: args.offset,
    rows: matching
      .slice(args.offset, args.offset + args.limit)
      .map(({ name, does }) => ({ name, state: does, isSecret: secrecy.get(name) ?? null })),
  })
}

/**
 * Returns values of a version and of its environment. They are masked unless they are known not to be secret, or revealed. `workspaceId`: the
 * workspace's id on its service.
 */
export function versionValues(
  tx: Tx,
  { cipher, workspaceId }: { cipher: WorkspaceCipher; workspaceId: string },
  { versionId, names, reveal }: Omit<Queries['versions.values']['args'], 'workspaceId'>,
  maskAll: boolean,
): Result<VersionValues[]> {
  const found = findMirrored(tx, versionId)
  if (!found.ok) return found
  const { version, environment } = found.value
  const wanted = new Set(names)
  const saved = new Map(
    variablesOfVersion(tx, version.id)
      .filter(({ name }) => wanted.has(name))
      .map(({ name, value }) => [name, value]),
  )
  const place = { workspaceId, environmentId: version.environment_remote_id }
  const wasPlain = plainIn(tx, environment.id, names, (name, value) => isBoundAsPlain(value.sealed, { ...place, name }))
  return ok(
    names.map((name): VersionValues => {
      const row = findWorking(tx, 'variable', environment.id, name)
      const now = row?.fields
      const then = saved.get(name)
      const isPlainNow = now?.isSecret === false
      const isPlainThen = (row === null || isPlainNow) && then !== undefined && (sameField(then, now?.value) || wasPlain(name, then))
      const side = (value: SealedValue | undefined, isPlain: boolean) => sideOf(cipher, value, !reveal && (maskAll || !isPlain))
      return { name, saved: side(then, isPlainThen), now: side(now?.value, isPlainNow) }
    }),
  )
}

/**
 * Returns a function that tells whether a value of a version is known not to be secret: the variable of this name had this very value on the
 * service or in the history, and was no secret then or later. Or the value was sealed as plain (`isSealedPlain`), and every variable known
 * here by this name, one of them still present, never was a secret. A version records neither secrecy nor ids, and a secret may have left its
 * name to another variable since.
 */
function plainIn(
  tx: Tx,
  environmentId: string,
  names: readonly string[],
  isSealedPlain: (name: string, value: SealedValue) => boolean,
): (name: string, value: SealedValue) => boolean {
  const known: (Kept & { value: SealedValue })[] = historyNamed(tx, environmentId, names).map((kept) => ({
    ...kept,
    value: { sealed: kept.sealed, tag: kept.tag, keyId: kept.key_id },
  }))
  const present = new Set<string>()
  for (const name of names) {
    const { id, fields } = findBase(tx, environmentId, name) ?? {}
    if (id === undefined || fields?.value === undefined) continue
    present.add(name)
    known.push({ row_id: id, parent_id: environmentId, name, is_secret: fields.isSecret === false ? 0 : 1, value: fields.value })
  }
  const isSecret = secrecyOfKept(tx, known)
  const isPlain = (kept: Kept) => isSecret(kept) === false
  const byName = Map.groupBy(known, ({ name }) => name)
  return (name, value) => {
    const namesakes = byName.get(name) ?? []
    return (
      namesakes.some((kept) => sameField(kept.value, value) && isPlain(kept)) ||
      (present.has(name) && namesakes.every(isPlain) && isSealedPlain(name, value))
    )
  }
}

function sideOf(cipher: WorkspaceCipher, value: SealedValue | undefined, mask: boolean): ConflictSide {
  if (value === undefined) return { state: 'absent', text: null }
  const shown = shownValue(cipher, value.sealed, mask, false)
  return shown.state === 'shown' ? { state: 'shown', text: shown.value } : { state: shown.state, text: null }
}

/** Previews a rollback of the environment as the user sees it. */
export function previewRollback(tx: Tx, versionId: string): Result<RollbackPreview> {
  const found = findMirrored(tx, versionId)
  if (!found.ok) return found
  const { id } = found.value.environment
  return ok(previewOf(tx, id, planFromWorking(tx, id, versionId)))
}

export function previewOf(tx: Tx, environmentId: string, plan: RollbackPlan & { fingerprint: string }): RollbackPreview {
  const names = inNameOrder(plan.variables.flatMap(({ name, does }) => (does === 'same' ? [] : [{ name, does }])))
  return {
    ...plan.counts,
    same: plan.same,
    resealed: plan.resealed,
    names: names.slice(0, nameLimit),
    isPartial: lacksRowLists(tx),
    unsent: countVariableChanges(tx, environmentId),
    fingerprint: plan.fingerprint,
  }
}
