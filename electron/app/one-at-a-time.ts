/** The last job on each `thing`. */
const begun = new Map<string, Promise<unknown>>()

/** Runs the jobs on one thing (a file, a workspace) one after another: the page may request a job while the last one runs. */
export async function oneAtATime<T>(thing: string, work: () => Promise<T>): Promise<T> {
  const before = begun.get(thing) ?? Promise.resolve()
  const mine = before.then(work, work)
  begun.set(thing, mine)
  try {
    return await mine
  } finally {
    if (begun.get(thing) === mine) begun.delete(thing)
  }
}
