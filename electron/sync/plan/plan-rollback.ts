import type { Counts, RollbackPreview, Variable } from '../../queue/entry.ts'
import { sameField, type SealedValue } from '../../queue/fields.ts'

/** The fields of a variable of an environment. */
export type NamedFields = Variable['fields']

/** One variable of a version, which stores neither types nor secrecy. */
export interface Saved {
  name: string
  value: SealedValue
}

export interface PlannedVariable {
  name: string
  does: 'added' | 'updated' | 'removed' | 'same'
}

export interface RollbackPlan {
  counts: Counts
  same: number
  /** How many of `same` are other bytes of the same text. A service that compares bytes counts them as updated. */
  resealed: number
  /** By name. */
  variables: PlannedVariable[]
}

/**
 * Returns the effect of resetting an environment to a version. `now`: the variables of the environment. `then`: those of the version.
 * Values that can't be compared count as updated, because a service writes the version's bytes.
 */
export function planRollback(now: readonly NamedFields[], then: readonly Saved[]): RollbackPlan {
  const present = new Map(now.map(({ name, value }) => [name, value]))
  const saved = new Map(then.map(({ name, value }) => [name, value]))
  const names = [...new Set([...present.keys(), ...saved.keys()])].sort(byCode)
  const variables = names.map((name): PlannedVariable => ({ name, does: doesTo(present, saved, name) }))
  const count = (does: PlannedVariable['does']) => variables.filter((variable) => variable.does === does).length
  const isResealed = ({ name, does }: PlannedVariable) => does === 'same' && present.get(name)?.sealed !== saved.get(name)?.sealed
  return {
    counts: { added: count('added'), updated: count('updated'), removed: count('removed') },
    same: count('same'),
    resealed: variables.filter(isResealed).length,
    variables,
  }
}

type Values = ReadonlyMap<string, SealedValue | undefined>

function doesTo(present: Values, saved: Values, name: string): PlannedVariable['does'] {
  if (!saved.has(name)) return 'removed'
  if (!present.has(name)) return 'added'
  return sameField(present.get(name), saved.get(name)) ? 'same' : 'updated'
}

/**
 * Returns the contents of an environment as one text, equal for equal names, values, types and secrecy in any order. A value is represented
 * by its tag, so that other bytes of the same text make no difference.
 */
export function contentsText(variables: readonly NamedFields[]): string {
  const lines = variables.map(({ name, value, type, isSecret }) => [
    name,
    value === undefined ? null : (value.tag ?? value.sealed),
    value?.tag == null ? null : value.keyId,
    type ?? null,
    isSecret ?? null,
  ])
  return JSON.stringify(lines.sort((a, b) => byCode(String(a[0]), String(b[0]))))
}

const byCode = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/**
 * Whether a service's counts match a preview. Values that were only sealed again may count as updated or not: a service that stores plain
 * text sees no difference.
 */
export function countsAgree(said: Counts, previewed: Counts, resealed: number): boolean {
  const updated = said.updated - previewed.updated
  return said.added === previewed.added && said.removed === previewed.removed && updated >= 0 && updated <= resealed
}

/**
 * How an environment compares with a rollback. agreed: it is as in the preview. equal: it already equals the version. stale: others have
 * changed it.
 */
export type RollbackComparison = 'agreed' | 'equal' | 'stale'

/**
 * Compares the present preview of a rollback (`now`) with the one that the user agreed to. `wasSent`: an environment that equals the
 * version then means that the rollback was done.
 */
export function compareWithPreview(now: RollbackPreview, agreed: RollbackPreview, wasSent: boolean): RollbackComparison {
  const { added, updated, removed } = now.counts
  const isEqual = added + updated + removed === 0
  const isAgreed = now.fingerprint === agreed.fingerprint
  if (isEqual && (wasSent || !isAgreed)) return 'equal'
  return isAgreed ? 'agreed' : 'stale'
}

/**
 * Describes in sentences how a rollback differs from its preview; null: it does not. `said`: the service's counts; `apart`: how many
 * variables differ from the version.
 */
export function differenceOf(agreed: RollbackPreview, said: Counts | null, apart: number): string | null {
  const counts =
    said === null || countsAgree(said, agreed.counts, agreed.resealed)
      ? null
      : `The service counted ${inWords(said)}; the preview had shown ${inWords(agreed.counts)}. Previews don’t include changes of type or secrecy.`
  const rest =
    apart === 0 ? null : `${apart === 1 ? 'One variable differs' : `${apart} variables differ`} from the version: check the comparison.`
  return [counts, rest].filter((sentence) => sentence !== null).join(' ') || null
}

const inWords = ({ added, updated, removed }: Counts): string => `${added} added, ${updated} updated and ${removed} removed`
