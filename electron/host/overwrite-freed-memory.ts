/**
 * Settings of glibc's allocator. Freed blocks are overwritten, also small ones (but not those in a thread's own cache). Larger blocks, such
 * as the pieces of an answer (64 KiB), are returned to the system at once: otherwise the heap would stay large after large answers. All
 * threads share two arenas: each further arena keeps some memory of ended threads. See mallopt(3), M_PERTURB, and the tunables in the
 * manual of glibc.
 */
const tunables = 'glibc.malloc.perturb=165:glibc.malloc.tcache_count=0:glibc.malloc.mmap_threshold=32768:glibc.malloc.arena_max=2'
const variable = 'GLIBC_TUNABLES'

/**
 * Replaces this process by a new one, with an allocator that overwrites freed memory. V8 and Node copy values and keys into blocks that our
 * code can't reach, and none may be left at a lock. Must be the first thing that a program does. Works on Linux only; without glibc it
 * changes nothing.
 */
export function overwriteFreedMemory(): void {
  if (process.platform !== 'linux') return
  const given = process.env[variable] ?? ''
  if (given.endsWith(tunables)) {
    // Programs that this process starts are not ours, and must not inherit the settings.
    const before = given.slice(0, -tunables.length).replace(/:$/, '')
    if (before === '') delete process.env[variable]
    else process.env[variable] = before
    return
  }
  const args = [process.argv0, ...process.execArgv, ...process.argv.slice(1)]
  process.execve?.(process.execPath, args, { ...process.env, [variable]: [given, tunables].filter(Boolean).join(':') })
}
