/** Why a POSIX shell can't take a variable of this name from a file that it sources; null: it can. */
export function shellNameProblem(name: string): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return 'Shell names contain letters, digits and underscores, and don’t begin with a digit.'
  return ownNames.has(name) ? 'Shells reserve this name and don’t let it be set.' : null
}

/** Read-only in one shell or another, where setting them ends the script. */
const ownNames = new Set(['BASHOPTS', 'BASH_VERSINFO', 'EUID', 'GID', 'EGID', 'PPID', 'SHELLOPTS', 'UID', 'USERNAME'])
