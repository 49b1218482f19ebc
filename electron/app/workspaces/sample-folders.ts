import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppError } from '../../bridge/app-error.ts'
import { ok, type Result } from '../../bridge/result.ts'
import { isOwn } from '../foreign-owner.ts'
import { lockFileOf, lockFolder } from '../lock-folder.ts'

const prefix = 'holdfast-sample-'

export interface SampleFolder {
  path: string
  remove(): Promise<void>
}

const removeFolder = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })

/** Creates a folder for a sample in the system's temporary folder, only for this user. This process locks it until it is removed. */
export const makeSampleFolder = async (parent: string = tmpdir()): Promise<Result<SampleFolder, AppError>> => {
  const path = await mkdtemp(join(parent, prefix))
  const lock = lockFolder(path)
  if (!lock.ok) return lock
  return ok({
    path,
    remove: async () => {
      lock.value.release()
      await removeFolder(path)
    },
  })
}

/**
 * Removes the samples that processes left when they crashed. A live process has the lock of its sample. A sample without a lock file is
 * just being created.
 */
export const removeStaleSamples = async (parent: string = tmpdir()): Promise<void> => {
  const samples = (await readdir(parent)).filter((name) => name.startsWith(prefix)).map((name) => join(parent, name))
  for (const path of samples) {
    // Any user may create a folder or link with such a name here, with a link to our files in it.
    if (!isOwn(path) || !isOwn(lockFileOf(path))) continue
    const lock = lockFolder(path)
    if (!lock.ok) continue
    lock.value.release()
    await removeFolder(path)
  }
}
