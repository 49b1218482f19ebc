/** The result of a repair for the user, in numbers and names. */
export interface RepairReport {
  /**
   * Unsent changes. kept: read unchanged. rebuilt: reconstructed from shown rows. lost: named by an index, but unreadable. unsure: more may
   * be lost.
   */
  unsent: { kept: number; rebuilt: number; lost: number; unsure: boolean }
  /** The names of unsent deletions whose record is unknown. */
  unknownDeletions: string[]
  /** Base rows. kept: read. lost: known to be missing; the next sync reads them again. */
  rows: { kept: number; lost: number }
  /** Overwritten values of the local history. */
  history: number
}
