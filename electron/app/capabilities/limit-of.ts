import type { Tx } from '../../mirror/tx.ts'
import type { ListName } from '../../remote/service-profile.ts'
import { readProfile } from './keep-profile.ts'

const sentences = {
  versions: 'This service does not list versions: enter the id of one to see it or roll back to it.',
  members: 'This service does not list its members: those invited from here are shown, others can be removed by their id.',
  roles: 'This service does not list its roles: enter the id of one.',
} as const

/** Whether the service is known to have no such list. */
export function lacksList(tx: Tx, list: ListName): boolean {
  const profile = readProfile(tx)
  return profile?.kind === 'basic' && !profile.lists.includes(list)
}

/** Whether the service is known to list neither projects nor environments nor variables: then it is read name by name. */
export const lacksRowLists = (tx: Tx): boolean => (['projects', 'environments', 'variables'] as const).every((list) => lacksList(tx, list))

/** What is known that a service cannot list, in one sentence; null when it can, or nothing is known yet. */
export const limitOf = (tx: Tx, list: keyof typeof sentences): string | null => (lacksList(tx, list) ? sentences[list] : null)
