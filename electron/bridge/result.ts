import type { AppError } from './app-error.ts'

/** The outcome of anything that can fail for reasons outside the program: a value or an error. */
export type Result<T, E = AppError> = { ok: true; value: T } | { ok: false; error: E }

/** The answer to a command. `step`: the step of undo that the command made, or turned; missing: it made none. */
export type Edited<T, E = AppError> = { ok: true; value: T; step?: string } | { ok: false; error: E }

/** A success carrying `value`. */
export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value })

/** A failure carrying `error`. */
export const err = <E>(error: E): { ok: false; error: E } => ({ ok: false, error })
