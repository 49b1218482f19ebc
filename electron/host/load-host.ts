import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { ok, type Result } from '../bridge/result.ts'
import { ensureBuilt } from './ensure-built.ts'
import type * as Host from './run-host.ts'

/** The folder of the source tree. */
export const root = resolve(import.meta.dirname, '../..')

/**
 * Loads the built browser host. Its hundreds of source files would need three times the time and one and a half times the memory. The error
 * is a sentence for the terminal.
 */
export async function loadHost(): Promise<Result<Pick<typeof Host, 'runHost' | 'openHost'>, string>> {
  const built = await ensureBuilt(root)
  if (!built.ok) return built
  const require = createRequire(import.meta.url)
  return ok(require(join(root, 'out/main/host.cjs')) as typeof Host)
}
