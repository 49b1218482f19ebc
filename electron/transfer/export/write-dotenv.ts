import { formatDotenv } from '../dotenv.ts'
import type { ExportFormat } from './export-entry.ts'

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
}
