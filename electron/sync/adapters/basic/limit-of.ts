import { isMove, isOperation, type Entry } from '../../../queue/entry.ts'

/** What the documented 14 operations cannot do. */
const limits: readonly [kind: Entry['kind'], rowKind: Entry['rowKind'], what: string][] = [
  ['create', 'project', 'create projects'],
  ['create', 'variable', 'create variables'],
  ['update', 'project', 'change projects'],
  ['delete', 'environment', 'delete environments'],
  ['snapshot', 'version', 'create versions'],
  ['set-role', 'member', 'change the role of a member'],
]

/** Why a service with the 14 operations alone never takes an entry, as a sentence; null: it does. */
export function limitOf(entry: Entry): string | null {
  const limit = limits.find(([kind, rowKind]) => kind === entry.kind && rowKind === entry.rowKind)?.[2]
  if (limit !== undefined) return sentence(limit)
  return !isOperation(entry) && isMove(entry) ? sentence('move variables to another environment') : null
}

const sentence = (what: string): string => `This service can't ${what}. The change is kept here until it can.`
