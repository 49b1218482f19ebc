/** A promise of the client was broken: the seed that showed it is a bug. */
export class Violation extends Error {}
