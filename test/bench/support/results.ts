import type { Row, Summary } from './row.ts'

/** One case, as it was measured. */
export interface Measured {
  /** When, ISO 8601. */
  at: string
  /** The machine and the Node that it ran on. */
  on: string
  /** Its rows, with the figures of every round. */
  measured: Row[]
}

/** What `bench-results.json` holds: cases by name, their rows also as judged. */
export type Results = Record<string, Measured & { rows: Summary[] }>

/** What `docs/performance.json` holds: every round behind a published figure. */
export type Published = Record<string, Measured>
