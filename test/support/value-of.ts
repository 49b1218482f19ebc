import type { AppError } from '../../electron/bridge/app-error.ts'
import type { Result } from '../../electron/bridge/result.ts'

/** The value of a command that has to succeed. */
export const valueOf = async <T>(result: Promise<Result<T, AppError>>): Promise<T> => {
  const outcome = await result
  if (!outcome.ok) throw new Error(`${outcome.error.kind}: ${outcome.error.message}`)
  return outcome.value
}
