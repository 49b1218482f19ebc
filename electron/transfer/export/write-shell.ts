import { shellNameProblem } from '../shell-name-problem.ts'
import { holdsNul, type ExportFormat } from './export-entry.ts'

/** Lines for a POSIX shell to read with `.`: nothing in a value is expanded or run. */
export const shellFormat: ExportFormat = {
  ending: '.sh',
  isJoinable: true,
  refusal: ({ name, value }) => shellNameProblem(name) ?? (holdsNul(value) ? 'A shell value can’t contain a NUL character.' : null),
  write: (entries) => entries.map(({ name, value }) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`).join(''),
}
