import type { Migration } from './migration.ts'

/** A delete that belongs to a move waits for the copy. */
export const moves: Migration = {
  name: '0003-moves',
  up: [`ALTER TABLE queue ADD COLUMN after TEXT`],
}
