import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/**
 * Set by the build (electron.vite.config.ts): the SHA-256 in hex of each native module, by its path in the application. Null if modules are
 * not checked: in a build for developers, and on macOS. There, signing changes the files, and the system loads only files that are signed
 * like the application.
 */
declare const HOLDFAST_NATIVE_MODULES: Readonly<Record<string, string>> | null

/** The archive's own integrity check does not include native modules, because they must be beside the archive. */
const known = HOLDFAST_NATIVE_MODULES

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/**
 * Returns the name of a native module below `root` that differs from the one of the build; null if there is none. Modules of other systems
 * are missing.
 */
export function alteredModule(root: string): string | null {
  for (const [path, hash] of Object.entries(known ?? {})) {
    try {
      if (hashOf(join(root, path)) !== hash) return basename(path)
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ENOENT') return basename(path)
    }
  }
  return null
}

/** From now on this thread loads only these native modules, wherever a package or an environment variable points. */
function guardThread(hashes: ReadonlySet<string>): void {
  const load = process.dlopen
  process.dlopen = (module: object, filename: string, flags?: number) => {
    if (!hashes.has(hashOf(filename))) throw new Error(`${basename(filename)} is not a part of Holdfast and was not loaded.`)
    if (flags === undefined) load.call(process, module, filename)
    else load.call(process, module, filename, flags)
  }
}

if (known !== null) guardThread(new Set(Object.values(known)))
