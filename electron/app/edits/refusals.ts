import type { AppError } from '../../bridge/app-error.ts'
import { err } from '../../bridge/result.ts'
import type { Change } from '../../queue/entry.ts'

/** The row no longer exists: it was deleted here or on the service since the page last read it. */
export const notFound = (what: string): { ok: false; error: AppError } =>
  err({ kind: 'not-found', message: `This ${what} no longer exists. It may have been deleted in the meantime.` })

/** The text is invalid. `message`: the rule that it breaks, as a sentence. */
export const invalid = (field: string, message: string): { ok: false; error: AppError } => err({ kind: 'invalid-input', field, message })

/** A sibling has the name. */
export const taken = (what: string, name: string): { ok: false; error: AppError } =>
  err({ kind: 'name-taken', message: `${name} already exists here. Choose another name, or edit that ${what}.` })

/** A sibling has the slug. */
export const slugTaken = (slug: string): { ok: false; error: AppError } =>
  err({ kind: 'name-taken', message: `${slug} already exists here. Choose another slug.` })

/** While a conflict about a name is open, two variables have it: which of them is meant is not known. */
export const twoNamed = 'Two variables here have this name. Resolve their conflict first.'

/** Others have changed the variables to copy since they were shown. */
export const changedSinceSeen = (name: string): { ok: false; error: AppError } =>
  err({
    kind: 'invalid-input',
    message: `${name} has just been changed by someone else, so it wasn’t copied. Look at it, then copy it again.`,
  })

/** Nothing proves that a member wrote the value, so it is never sent or copied. */
export const unverifiedValue = (): { ok: false; error: AppError } =>
  err({ kind: 'value-unreadable', message: 'The value is Unverified. Accept it, restore the last verified one, or enter another value.' })

/** The value was damaged with the database, so it is never sent. */
export const damagedValue = (): { ok: false; error: AppError } =>
  err({
    kind: 'value-unreadable',
    message: 'This change’s value was damaged with the database and would overwrite a good one. Enter it again, or discard this change.',
  })

/** The conflict asks whether to delete a project or environment with the new rows in it, so there is nothing to edit. */
export const nothingToEdit = ({ rowKind }: Pick<Change, 'rowKind'>): { ok: false; error: AppError } =>
  err({ kind: 'invalid-input', message: `A deleted ${rowKind} has nothing to edit. Choose whether to delete it anyway or keep it.` })

/** The change has left the queue since the page last read it. */
export const notWaiting = (): { ok: false; error: AppError } =>
  err({ kind: 'not-found', message: 'This change is no longer queued: it was sent or discarded in the meantime.' })
