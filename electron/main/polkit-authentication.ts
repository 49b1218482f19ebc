import { readFileSync } from 'node:fs'
import type { SystemAuthentication } from '../app/app-deps.ts'
import { runTool } from './run-tool.ts'

/** The action is declared in resources/linux, which the Debian package installs. Without it, polkit does not know the action. */
const action = 'dev.holdfast.desktop.unlock'
const probeMs = 5_000
/** How long typing a password may take. */
const askMs = 300_000

/** pkcheck(1): what its exit codes mean. 0 is "authorized", and 2 "would have to ask, and was not told to". */
const exit = { authorized: 0, refused: 1, mustAsk: 2, dismissed: 3 }

/**
 * Returns the name of this process for polkit: its id and its start time (proc(5), field 22), because another process may get the id later.
 */
export function polkitSubject(): string {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // The second field is the program's name in brackets, and may contain any text.
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return [process.pid, started, process.getuid?.()].join(',')
}

/**
 * Asks for the user's own password through polkit's agent on the desktop. It can't be used if polkit would say yes without asking (root, or
 * a rule of the administrator): a yes would then prove nothing.
 */
export function polkitAuthentication(pkcheck = '/usr/bin/pkcheck'): SystemAuthentication {
  const check = (more: readonly string[], timeoutMs: number) =>
    runTool(pkcheck, ['--action-id', action, '--process', polkitSubject(), ...more], { LANG: process.env['LANG'] ?? 'C' }, timeoutMs)
  const isAvailable = async () => (await check([], probeMs)).code === exit.mustAsk
  return {
    kind: 'polkit',
    isReliable: false,
    isAvailable,
    async confirm() {
      if (!(await isAvailable())) return 'unavailable'
      const { code } = await check(['--allow-user-interaction'], askMs)
      if (code === exit.authorized) return 'confirmed'
      return code === exit.refused || code === exit.dismissed ? 'refused' : 'unavailable'
    },
  }
}
