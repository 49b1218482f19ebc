import type { Write } from './write.ts'

/** The columns that every new record gets at the next commit, whose number is its place in lists too. */
export const newStamps = (write: Write) => {
  const seq = write.nextSeq()
  return { workspace_id: write.workspaceId, seq, ordinal: seq, created_at: write.at, updated_at: write.at, updated_by: write.by }
}

/** A changed record, as of the next commit. */
export const atNextCommit = <Row extends { seq: number; updated_at: string; updated_by: string }>(write: Write, next: Row): Row => ({
  ...next,
  seq: write.nextSeq(),
  updated_at: write.at,
  updated_by: write.by,
})
