import type { DeletedRow } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'

/** What restoring a deleted project or environment brings back: "2 environments, 14 variables, 1 version", or "Empty". */
export const deletedWords = ({ kind, environments, variables, versions }: DeletedRow): string => {
  const parts = [
    kind === 'project' && environments > 0 ? counted(environments, 'environment') : null,
    variables > 0 ? counted(variables, 'variable') : null,
    versions > 0 ? counted(versions, 'version') : null,
  ]
  return parts.filter((part) => part !== null).join(', ') || 'Empty'
}
