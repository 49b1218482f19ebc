import { getMeta } from '../../mirror/meta.ts'
import type { Tx } from '../../mirror/tx.ts'

const sentences = {
  'no-version-list': 'This service does not list versions: enter the id of one to see it or roll back to it.',
  'no-member-list': 'This service does not list its members: those invited from here are shown, others can be removed by their id.',
  'no-role-list': 'This service does not list its roles: enter the id of one.',
} as const

type Key = keyof typeof sentences

/** What is known that a service cannot list, in one sentence; null when it can, or nothing is known yet. */
export const limitOf = (tx: Tx, key: Key): string | null => (getMeta(tx, key) === null ? null : sentences[key])
