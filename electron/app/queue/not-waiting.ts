import type { AppError } from '../../bridge/app-error.ts'
import { err } from '../../bridge/result.ts'

/** The change a command names has left the queue since the page last looked. */
export const notWaiting = (): { ok: false; error: AppError } =>
  err({ kind: 'not-found', message: 'This change is no longer queued: it was sent or discarded in the meantime.' })
