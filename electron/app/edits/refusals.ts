import type { AppError } from '../../bridge/app-error.ts'
import { err } from '../../bridge/result.ts'
import type { Change } from '../../queue/entry.ts'

/** The row is not there any more: deleted here or on the service since the page last looked. */
export const notFound = (what: string): { ok: false; error: AppError } =>
  err({ kind: 'not-found', message: `This ${what} no longer exists. It may have been deleted in the meantime.` })

/** A text that breaks a rule, with the rule's own sentence. */
export const invalid = (field: string, message: string): { ok: false; error: AppError } => err({ kind: 'invalid-input', field, message })

/** The name is used by a sibling. */
export const taken = (what: string, name: string): { ok: false; error: AppError } =>
  err({ kind: 'name-taken', name, message: `${name} already exists here. Choose another name, or edit that ${what}.` })

/** A value that is not proven to be from a member goes nowhere, and nothing is sealed to it. */
export const unverifiedValue = (): { ok: false; error: AppError } =>
  err({ kind: 'value-unreadable', message: 'The value is Unverified. Accept it, restore the last verified one, or enter another value.' })

/** A value that was altered by damage to the database: it is never sent. */
export const damagedValue = (): { ok: false; error: AppError } =>
  err({
    kind: 'value-unreadable',
    message: 'This change’s value was damaged with the database and would overwrite a good one. Enter it again, or discard this change.',
  })

/** The question whether a project or environment goes with what is new in it: a decision, and no text. */
export const nothingToEdit = ({ rowKind }: Pick<Change, 'rowKind'>): { ok: false; error: AppError } =>
  err({ kind: 'invalid-input', message: `A deleted ${rowKind} has nothing to edit. Choose whether to delete it anyway or keep it.` })

/** The change a command names has left the queue since the page last looked. */
export const notWaiting = (): { ok: false; error: AppError } =>
  err({ kind: 'not-found', message: 'This change is no longer queued: it was sent or discarded in the meantime.' })
