/**
 * Whether a server offers something that the interface specification leaves open. `unknown`: not
 * seen yet. Whoever needs it may try, and `learn` from the answer.
 */
export type Offer = 'offered' | 'absent' | 'unknown'

export interface Capabilities {
  /** Lists of projects, environments and variables. */
  lists: Offer
  /** Creating projects and variables. Only a try shows it: a GET cannot ask whether a POST is there. */
  creates: Offer
  /** The change feed. */
  changes: Offer
  /** ETags, and so If-Match. */
  etags: Offer
  /** The list of an environment's versions; reading and rolling back one by id is always there. */
  versions: Offer
  /** The list of members; inviting and removing is always there. */
  members: Offer
}

export const nothingKnown: Readonly<Capabilities> = {
  lists: 'unknown',
  creates: 'unknown',
  changes: 'unknown',
  etags: 'unknown',
  versions: 'unknown',
  members: 'unknown',
}
