import { writeFileSync } from 'node:fs'

/**
 * Leaves all memory out of the core files that a crash of this process, its threads and its later children may leave on Linux, whatever the
 * limits of the shell are: core(5), "Controlling which mappings are written to the core dump". Elsewhere, and where `pid` may not be
 * changed, it does nothing. Never throws.
 */
export function emptyCoreFiles(pid: number | 'self' = 'self'): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync(`/proc/${pid}/coredump_filter`, '0')
  } catch {
    // A sandbox hides it, or the process is one that leaves no core file.
  }
}
