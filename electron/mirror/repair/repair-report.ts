/** The result of a repair for the user, in numbers and names. */
export interface RepairReport {
  /** Unsent changes: read unchanged; reconstructed from shown rows; named by an index but unreadable. */
  unsent: { kept: number; rebuilt: number; lost: number; unsure: boolean }
  /** The names of unsent deletions whose record is unknown. */
  unknownDeletions: string[]
  /** Records of the service: those read, and those known to be missing, which the next sync reads again. */
  rows: { kept: number; lost: number }
  /** Overwritten values of the local history. */
  history: number
}
