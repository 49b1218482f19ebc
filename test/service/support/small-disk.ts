import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface SmallDisk {
  /** Where it is mounted. */
  path: string
  remove(): Promise<void>
}

/** A file system of its own of `bytes` bytes; null where this process may not mount one (it takes root on Linux). */
export const mountSmallDisk = async (bytes: number): Promise<SmallDisk | null> => {
  const path = await mkdtemp(join(tmpdir(), 'holdfast-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=700`, 'tmpfs', path])
  } catch {
    await rm(path, { recursive: true })
    return null
  }
  return {
    path,
    remove: async () => {
      await run('umount', [path])
      await rm(path, { recursive: true })
    },
  }
}
