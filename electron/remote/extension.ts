import type { ListName } from './service-profile.ts'

/** Everything Holdfast can ask of a service beyond the 14 operations of the specification. */
export type Extension = ListName | 'changes' | 'push' | 'records' | 'deleted'
