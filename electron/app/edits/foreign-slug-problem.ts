import { displayNameProblem } from '../../../service/protocol/names.ts'

/**
 * Returns the problem of a slug on a basic service, in one sentence; null: none. Such a service has its own rules for slugs, so any text
 * that can be part of a URL is allowed here.
 */
export function foreignSlugProblem(slug: string): string | null {
  const problem = displayNameProblem(slug)
  if (problem !== null) return problem.replace(/^A name/, 'A slug')
  return slug.includes('/') ? 'A slug can’t contain "/".' : null
}
