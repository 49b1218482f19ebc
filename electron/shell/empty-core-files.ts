import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/**
 * Keeps all memory out of the core files that a crash of this process, its threads and its children may leave on Linux, whatever the limits
 * of the shell are: core(5), "Controlling which mappings are written to the core dump". Later children inherit the setting. Chromium forks
 * its processes from some that started before the application's script: it is set for these too. On other systems, and for processes that
 * may not be changed, it does nothing. Never throws.
 */
export function emptyCoreFiles(pid: number | 'self' = 'self'): void {
  if (process.platform !== 'linux') return
  try {
    writeFileSync(`/proc/${pid}/coredump_filter`, '0')
    for (const thread of readdirSync(`/proc/${pid}/task`))
      for (const child of readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g) ?? []) emptyCoreFiles(Number(child))
  } catch {
    // The process is hidden by a sandbox, has ended, or leaves no core file.
  }
}
