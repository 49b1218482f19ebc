import { randomBytes } from 'node:crypto'
import type { AppDeps } from '../app/app-deps.ts'

/** The dependencies of the application that are the same in both shells, joined with those that are not. */
export function createDeps(
  own: Pick<
    AppDeps,
    'shell' | 'version' | 'dataDir' | 'log' | 'clipboard' | 'openFolder' | 'saveFile' | 'systemAuthentication' | 'fetch' | 'network'
  >,
): AppDeps {
  return {
    ...own,
    platform: process.platform,
    now: () => Date.now(),
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
  }
}
