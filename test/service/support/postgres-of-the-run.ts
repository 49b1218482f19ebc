import type { TestProject } from 'vitest/node'
import { startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the PostgreSQL server that the tests of the service share; each makes databases of its own there. */
    postgres: string
  }
}

/** Starts the one PostgreSQL of a run, which the tests of the service share; what it gives stops it. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const { url, stop } = await startPostgres()
  project.provide('postgres', url)
  return stop
}
