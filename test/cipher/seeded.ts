/**
 * The seed of every property in this run: HOLDFAST_SEED, or a new one. It stands in the test's
 * title, so that a failure can be run again.
 */
export const seed = Number(process.env.HOLDFAST_SEED ?? Date.now() % 2_147_483_647)

/** A property's name with the seed that replays it. */
export const seeded = (name: string) => `${name} (HOLDFAST_SEED=${seed})`
