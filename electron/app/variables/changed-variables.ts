import type { ChangedVariables, EditedVariable } from '../../bridge/rows.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { changedSince, newestRev, revOf, seenRow, type Seen } from '../../mirror/past-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import type { Row } from '../../queue/entry.ts'
import { sameField, type Fields } from '../../queue/fields.ts'
import { shownValue } from './shown-value.ts'

interface SeenRow {
  id: string
  seen: Seen
}

/** A screen of an environment, or of single rows, with the revisions that it showed. */
export type Screen = { environmentId: string; since: Seen } | { rows: readonly SeenRow[] }

const others = ['name', 'type', 'isSecret'] as const
const fields = [...others, 'value'] as const

/** Returns the fields that others changed, except the value. */
const othersOf = (was: Fields, now: Fields): ChangedVariables['rows'][number]['others'] =>
  others.flatMap((field) => {
    const [before, after] = [wordOf(was[field]), wordOf(now[field])]
    return before === undefined || after === undefined || before === after ? [] : [{ field, was: before, now: after }]
  })

const wordOf = (field: string | boolean | undefined) => (typeof field === 'boolean' ? (field ? 'secret' : 'not secret') : field)

/** Finds the variables that others changed since a screen showed them. The user's own changes don't count. */
export function changedVariables(
  tx: Tx,
  cipher: WorkspaceCipher,
  screen: Screen,
  { reveal, maskAll }: { reveal: boolean; maskAll: boolean },
): ChangedVariables {
  const rows =
    'rows' in screen ? screen.rows : changedSince(tx, screen.environmentId, screen.since).map((id) => ({ id, seen: screen.since }))
  const isHere = (row: Row) => 'rows' in screen || row.parentId === screen.environmentId
  const side = (row: Row | null): EditedVariable['value'] | null =>
    row && shownValue(cipher, row.fields.value?.sealed ?? null, maskAll || row.fields.isSecret !== false, reveal)
  return {
    rev: newestRev(tx),
    rows: rows.flatMap(({ id, seen }) => {
      const [then, left] = [seenRow(tx, id, seen), getWorking(tx, id)]
      if (left !== null && revOf(tx, id) <= seen) return []
      const was = then !== null && isHere(then) ? then : null
      const now = left !== null && isHere(left) ? left : null
      const name = now?.fields.name ?? was?.fields.name
      if (name === undefined || (was && now && fields.every((field) => sameField(was.fields[field], now.fields[field])))) return []
      const isOtherValue = !sameField(was?.fields.value, now?.fields.value)
      return [{ id, name, was: side(was), now: side(now), isOtherValue, others: was && now ? othersOf(was.fields, now.fields) : [] }]
    }),
  }
}
