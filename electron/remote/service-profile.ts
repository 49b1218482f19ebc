/** The lists a service may offer. */
export const listNames = ['projects', 'environments', 'variables', 'versions', 'members', 'roles'] as const
export type ListName = (typeof listNames)[number]

/** Everything Holdfast can ask of a service beyond the 14 operations of the specification. */
export type Extension = ListName | 'workspace' | 'changes' | 'push' | 'records' | 'deleted'

/** What a service offers beyond the 14 operations of the specification. */
export interface ServiceProfile {
  /** full: the service has the change feed, and so offers everything. basic: it offers the 14 operations and the lists that were found. */
  kind: 'full' | 'basic'
  /** The lists that were found so far. */
  lists: ListName[]
  /** What the service can't do, one sentence each. Says nothing about lists that were not asked for yet. */
  missing: string[]
}
