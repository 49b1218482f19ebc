import { randomBytes } from 'node:crypto'
import type { AppDeps } from '../app/app-deps.ts'

/** Creates the application's dependencies: those that both shells share, and those of one shell. */
export function createDeps(
  own: Pick<
    AppDeps,
    'shell' | 'version' | 'dataDir' | 'log' | 'clipboard' | 'openFolder' | 'askWhereToSave' | 'systemAuthentication' | 'fetch' | 'network'
  >,
): AppDeps {
  return {
    ...own,
    platform: process.platform,
    now: () => Date.now(),
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
  }
}
