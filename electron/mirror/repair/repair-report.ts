/** What came of a repair, in numbers and names: what the user is told. */
export interface RepairReport {
  /** Unsent changes: read as they were; worked out again from what was shown; named by an index and not to be read any more. */
  unsent: { kept: number; rebuilt: number; lost: number; unsure: boolean }
  /** Unsent deletions whose record is not known any more: what they were to delete, by name. */
  unknownDeletions: string[]
  /** Records of the service: those read, and those known to be missing, which the next sync brings. */
  rows: { kept: number; lost: number }
  /** Overwritten values of the local history. */
  history: number
}
