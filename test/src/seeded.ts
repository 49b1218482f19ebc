/** The seed of this run's property tests: `SEED=123 npx vitest …` plays a failing run again. */
export const seed = Number(process.env.SEED ?? Date.now() % 1_000_000_007)

/** A test's name with the seed in it, so that a failure says how to play it again. */
export const seeded = (name: string): string => `${name} (seed ${seed})`
