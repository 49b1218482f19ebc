import type { AppError } from '../../bridge/app-error.ts'
import { err } from '../../bridge/result.ts'

type Refusal = { ok: false; error: AppError }

export const notMirrored = (): Refusal =>
  err({ kind: 'not-found', message: 'The variables of this version are not on this computer yet. Connect to the service to fetch them.' })

export const notTaken = (): Refusal =>
  err({ kind: 'not-found', message: 'This snapshot is still waiting to be taken. What it holds is known when it has been sent.' })

export const isMoved = (): Refusal => {
  const message = 'The environment has changed since the preview was made. Look at the new preview, then decide again.'
  return err({ kind: 'invalid-input', field: 'fingerprint', message })
}

export const isWaiting = (): Refusal => {
  const message = 'A rollback of this environment is waiting to be sent already. Discard it first, or wait until it is done.'
  return err({ kind: 'invalid-input', message })
}

export const notOfHere = (): Refusal =>
  err({ kind: 'invalid-input', field: 'remoteId', message: 'This version belongs to another environment. Open that one to see it.' })

export const noVersion = (): Refusal =>
  err({ kind: 'not-found', message: 'The service has no version with this id. Copy the id again; it may also have been deleted.' })

export const notReached = (): Refusal =>
  err({ kind: 'offline', message: 'The service cannot be asked for this version now. Try again when Holdfast is connected.' })

export const notOnServer = (): Refusal =>
  err({ kind: 'not-found', message: 'This environment is not on the service yet, so it has no versions there.' })
