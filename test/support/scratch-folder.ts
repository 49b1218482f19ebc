import { chmod, mkdtemp, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import path from 'node:path'

const gib = 1024 ** 3

/**
 * A new folder for what a run of tests writes: in memory where Linux has room for it, else in the system's temp folder. Databases of tests wait for their
 * disk at every write, and that was a third of their time; no test cuts the power.
 */
export async function makeScratchFolder(): Promise<string> {
  const parent = (await hasRoomInMemory()) ? '/dev/shm' : tmpdir()
  const folder = await mkdtemp(path.join(parent, 'holdfast-test-'))
  // PostgreSQL's server runs as another user when the tests run as root.
  await chmod(folder, 0o755)
  return folder
}

async function hasRoomInMemory(): Promise<boolean> {
  if (process.platform !== 'linux' || freemem() < 4 * gib) return false
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= 2 * gib
}
