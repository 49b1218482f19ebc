import type { AppError } from '../../bridge/app-error.ts'
import { err } from '../../bridge/result.ts'

type Refusal = { ok: false; error: AppError }

export const notMirrored = (): Refusal =>
  err({ kind: 'not-found', message: 'This version’s variables aren’t on this computer yet. Connect to the service to download them.' })

export const notTaken = (): Refusal => err({ kind: 'not-found', message: 'This version hasn’t been saved yet, so it has no content.' })

export const isMoved = (): Refusal => {
  const message = 'The environment changed after this preview. Check the new preview, then try again.'
  return err({ kind: 'invalid-input', field: 'fingerprint', message })
}

export const isWaiting = (): Refusal => {
  const message = 'Another rollback of this environment is queued. Discard it first, or wait until it’s done.'
  return err({ kind: 'invalid-input', message })
}

export const notOfHere = (): Refusal =>
  err({ kind: 'invalid-input', field: 'remoteId', message: 'This version belongs to another environment. Open that one to see it.' })

export const noVersion = (): Refusal =>
  err({ kind: 'not-found', message: 'The service has no version with this ID. Check the ID; the version may have been deleted.' })

export const notReached = (): Refusal => err({ kind: 'offline', message: 'You’re offline. Try again when Holdfast is connected.' })

export const notOnService = (): Refusal =>
  err({ kind: 'not-found', message: 'This environment isn’t on the service yet, so it has no versions.' })
