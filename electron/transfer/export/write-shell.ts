import { holdsNul, type ExportFormat } from './export-entry.ts'

/** Lines for a POSIX shell to read with `.`: nothing in a value is expanded or run. */
export const shellFormat: ExportFormat = {
  ending: '.sh',
  isJoinable: true,
  refusal({ name, value }) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      return 'A shell takes names of letters, digits and underscores that do not begin with a digit.'
    }
    if (ownNames.has(name)) return 'Shells keep this name for themselves and refuse to set it.'
    return holdsNul(value) ? 'A shell cannot carry a value with a NUL character.' : null
  },
  write: (entries) => entries.map(({ name, value }) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`).join(''),
}

/** Read-only in one shell or another, where setting them ends the script. */
const ownNames = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'GID', 'EGID', 'PPID', 'SHELLOPTS', 'UID', 'USERNAME'])
