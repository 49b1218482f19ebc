import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { ok, type Result } from '../bridge/result.ts'
import { ensureBuilt } from './ensure-built.ts'
import type * as Host from './run-host.ts'

/** The folder of the source tree. */
export const root = resolve(import.meta.dirname, '../..')

/**
 * The browser host as it was built. Its hundreds of source files would take three times as long to load, and half as much memory again.
 * The error is a sentence for the terminal.
 */
export async function loadHost(): Promise<Result<Pick<typeof Host, 'runHost' | 'openHost'>, string>> {
  const built = await ensureBuilt(root)
  if (!built.ok) return built
  const require = createRequire(import.meta.url)
  return ok(require(join(root, 'out/main/host.cjs')) as typeof Host)
}
