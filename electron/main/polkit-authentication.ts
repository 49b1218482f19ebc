import { readFileSync } from 'node:fs'
import type { SystemAuthentication } from '../app/app-deps.ts'
import { runTool } from './run-tool.ts'

/** In resources/linux; the Debian package installs it. Without it, polkit knows no such action. */
const action = 'dev.holdfast.desktop.unlock'
const probeMs = 5_000
/** How long typing a password may take. */
const askMs = 300_000

/** pkcheck(1): what its exit codes mean. 0 is "authorized", and 2 "would have to ask, and was not told to". */
const exit = { authorized: 0, refused: 1, mustAsk: 2, dismissed: 3 }

/** This process as polkit wants to have it named: its id may be another one's soon, its start time tells them apart (proc(5), field 22). */
export function polkitSubject(): string {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // The second field is the program's name in brackets, and may hold anything.
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return [process.pid, started, process.getuid?.()].join(',')
}

/**
 * Asks for the user's own password through polkit's agent on their desktop. Where polkit would say yes without a question (root, or a rule of
 * the administrator), a yes proves nothing: then it cannot be used.
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
