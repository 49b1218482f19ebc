import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * Leaves all memory out of the core files that a crash of this process, its threads and its children may leave on Linux, whatever the limits
 * of the shell are: core(5), "Controlling which mappings are written to the core dump". Later children inherit it. Chromium forks its
 * processes from some that began before the application's script: these are found and told. Elsewhere, and where a process may not be
 * changed, it does nothing. Never throws.
 */
export function emptyCoreFiles(pid: number | 'self' = 'self'): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync(`/proc/${pid}/coredump_filter`, '0')
    for (const thread of readdirSync(`/proc/${pid}/task`))
      for (const child of readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g) ?? []) emptyCoreFiles(Number(child))
  } catch {
    // A sandbox hides it, it has ended, or it is a process that leaves no core file.
  }
}
