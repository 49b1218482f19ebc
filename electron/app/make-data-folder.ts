import { access, chmod, constants, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppError } from '../bridge/app-error.ts'
import { err, ok, type Result } from '../bridge/result.ts'
import { foreignPart } from './foreign-owner.ts'
import { makeFolder } from './make-folder.ts'
import { diskError } from './settings/disk-error.ts'

const notAFolder = new Set(['EEXIST', 'ENOTDIR', 'ENOENT', 'ELOOP', 'ENAMETOOLONG', 'EINVAL'])

/** What Holdfast makes in its data folder. The folder may have files of others too: the user chose it. */
const ourNames = /^(?:electron|holdfast\.lock|keys\.vault.*|logs|settings\.json|workspaces)$/

/**
 * Takes other users' permissions from what Holdfast has made in a folder. Its own files never have any, but those of a copy may: whoever can
 * read the vault can try passphrases.
 */
async function closeToOthers(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => ourNames.test(each))) {
    const path = join(folder, name)
    // A disk may know no permissions, and another Holdfast may just have renamed the file.
    await stat(path)
      .then(({ mode }) => ((mode & 0o077) === 0 ? undefined : chmod(path, mode & 0o700)))
      .catch(() => undefined)
  }
}

/**
 * Creates the data folder if it is missing. Only this user can read what Holdfast has in it. Errors: `folder-read-only` (also for a path
 * that can't be a folder, and for a folder of another user), `disk-full`.
 */
export const makeDataFolder = async (folder: string): Promise<Result<null, AppError>> => {
  try {
    makeFolder(folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    const foreign = foreignPart(folder)
    if (foreign === null) {
      if (process.platform !== 'win32') await closeToOthers(folder)
      return ok(null)
    }
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
