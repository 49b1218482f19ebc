import { formatDotenv, notForShells } from '../dotenv.ts'
import type { ExportFormat } from './export-entry.ts'

/** Names in one note. */
const namedAtMost = 10

/** A .env text for `dotenv` and its kin. */
export const dotenvFormat: ExportFormat = {
  ending: '.env',
  isJoinable: true,
  refusal(entry) {
    try {
      formatDotenv([entry])
      return null
    } catch (error) {
      if (error instanceof Error) return error.message
      throw error
    }
  },
  write: formatDotenv,
  notes(entries) {
    const names = notForShells(entries)
    if (names.length === 0) return []
    const listed =
      names.length > namedAtMost ? `${names.slice(0, namedAtMost).join(', ')} and ${names.length - namedAtMost} more` : names.join(', ')
    return [`Don’t source this file in a shell, which would run or change ${listed}. Choose the Shell format for that.`]
  },
}
