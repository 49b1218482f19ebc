/**
 * Settings of glibc's allocator: a block is overwritten when it is freed, also a small one (those that a thread keeps for itself are not). A
 * larger one, as the pieces of an answer are (64 KiB), is given back to the system at once: after large answers the heap would otherwise stay
 * as large as they were. Two arenas for all threads: each one more keeps some memory of threads that have ended. See mallopt(3), M_PERTURB, and
 * the tunables in the manual of glibc.
 */
const tunables = 'glibc.malloc.perturb=165:glibc.malloc.tcache_count=0:glibc.malloc.mmap_threshold=32768:glibc.malloc.arena_max=2'
const variable = 'GLIBC_TUNABLES'

/**
 * Starts this process anew, in its place, with an allocator that overwrites what is freed: V8 and Node copy values and keys into blocks
 * that no code here can reach, and a lock must leave none of them. Must be the first thing that a program does. Linux alone; without glibc it
 * changes nothing.
 */
export function overwriteFreedMemory(): void {
  if (process.platform !== 'linux') return
  const given = process.env[variable] ?? ''
  if (given.endsWith(tunables)) {
    // Programs that are started from here are none of ours.
    const before = given.slice(0, -tunables.length).replace(/:$/, '')
    if (before === '') delete process.env[variable]
    else process.env[variable] = before
    return
  }
  const args = [process.argv0, ...process.execArgv, ...process.argv.slice(1)]
  process.execve?.(process.execPath, args, { ...process.env, [variable]: [given, tunables].filter(Boolean).join(':') })
}
