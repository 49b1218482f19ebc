import type { Row, Summary } from './row.ts'

/** What `bench-results.json` holds. */
export interface Results {
  node: string
  machine: string
  /** By name. Each has its rows as judged, and as they were measured. */
  cases: Record<string, { at: string; rows: Summary[]; measured: Row[] }>
}

/** What `docs/performance.json` holds: every round behind a published figure. */
export interface Published extends Pick<Results, 'node' | 'machine'> {
  cases: Record<string, Pick<Results['cases'][string], 'at' | 'measured'>>
}
