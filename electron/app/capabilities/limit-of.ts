import type { Tx } from '../../mirror/tx.ts'
import type { ListName } from '../../remote/service-profile.ts'
import { readProfile } from './keep-profile.ts'

const sentences = {
  versions: 'This service can’t list versions: enter the ID of a version to see it or roll back to it.',
  members: 'This service can’t list members: only people invited from this computer are shown. Remove others by ID.',
  roles: 'This service can’t list roles: enter the ID of a role.',
} as const

/** Whether the service is known to have no such list. */
export function lacksList(tx: Tx, list: ListName): boolean {
  const profile = readProfile(tx)
  return profile?.kind === 'basic' && !profile.lists.includes(list)
}

/** Whether the service is known to list neither projects nor environments nor variables. It is then read name by name. */
export const lacksRowLists = (tx: Tx): boolean => (['projects', 'environments', 'variables'] as const).every((list) => lacksList(tx, list))

/** Returns a sentence for a list that the service is known not to have; null: it has the list, or nothing is known yet. */
export const limitOf = (tx: Tx, list: keyof typeof sentences): string | null => (lacksList(tx, list) ? sentences[list] : null)
