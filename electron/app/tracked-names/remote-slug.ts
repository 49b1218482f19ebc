import { err, ok, type Result } from '../../bridge/result.ts'
import { foreignSlugProblem } from '../edits/foreign-slug-problem.ts'

/** A slug of somebody's service as it was typed. */
export function remoteSlug(field: 'project' | 'environment', text: string): Result<string> {
  const slug = text.trim()
  if (slug === '') return invalid(field, `Enter the slug of the ${field}: the short name in its address.`)
  const problem = foreignSlugProblem(slug)
  return problem === null ? ok(slug) : invalid(field, problem)
}

const invalid = (field: string, message: string) => err({ kind: 'invalid-input' as const, message, field })
