import { displayNameProblem } from '../../../service/protocol/names.ts'

/**
 * Says what is wrong with a slug on a basic service, in one sentence; null: nothing. Such a service has slug rules of its own, so any text
 * that can be part of a URL is allowed here.
 */
export function foreignSlugProblem(slug: string): string | null {
  const problem = displayNameProblem(slug)
  if (problem !== null) return problem.replace(/^A name/, 'A slug')
  return slug.includes('/') ? 'A slug can’t contain "/".' : null
}
