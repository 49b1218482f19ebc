import { holdsNul, type ExportFormat } from './export-entry.ts'

/** Lines for a POSIX shell to read with `.`: nothing in a value is expanded or run. */
export const shellFormat: ExportFormat = {
  ending: '.sh',
  isJoinable: true,
  refusal({ name, value }) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      return 'Shell names contain letters, digits and underscores, and don’t begin with a digit.'
    }
    if (ownNames.has(name)) return 'Shells reserve this name and don’t let it be set.'
    return holdsNul(value) ? 'A shell value can’t contain a NUL character.' : null
  },
  write: (entries) => entries.map(({ name, value }) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`).join(''),
}

/** Read-only in one shell or another, where setting them ends the script. */
const ownNames = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'GID', 'EGID', 'PPID', 'SHELLOPTS', 'UID', 'USERNAME'])
