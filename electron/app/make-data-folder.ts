import { access, constants } from 'node:fs/promises'
import type { AppError } from '../bridge/app-error.ts'
import { err, ok, type Result } from '../bridge/result.ts'
import { foreignPart } from './foreign-owner.ts'
import { makeFolder } from './make-folder.ts'
import { diskError } from './settings/disk-error.ts'

const notAFolder = new Set(['EEXIST', 'ENOTDIR', 'ENOENT', 'ELOOP', 'ENAMETOOLONG', 'EINVAL'])

/**
 * Creates the data folder if it is missing, for this user only. Errors: `folder-read-only` (also for a path that can't be a folder, and for
 * a folder of another user), `disk-full`.
 */
export const makeDataFolder = async (folder: string): Promise<Result<null, AppError>> => {
  try {
    makeFolder(folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    const foreign = foreignPart(folder)
    if (foreign === null) return ok(null)
    return err({
      kind: 'folder-read-only',
      message: `${foreign} belongs to another user of this computer, so Holdfast doesn’t use it. Make yourself its owner, or start Holdfast with --data-dir and another folder.`,
    })
  } catch (error) {
    const known = diskError(error, folder)
    if (known !== null) return err(known)
    if (error instanceof Error && 'code' in error && notAFolder.has(String(error.code))) {
      return err({
        kind: 'folder-read-only',
        message: `${folder} can’t be created as a folder. Start Holdfast with --data-dir and another folder.`,
      })
    }
    throw error
  }
}
