import { displayNameProblem } from '../../../service/protocol/names.ts'

/** What is wrong with a slug on somebody else's service, in one sentence; null: nothing. It has rules of its own: here a slug is any text that can be a part of an address. */
export function foreignSlugProblem(slug: string): string | null {
  const problem = displayNameProblem(slug)
  if (problem !== null) return problem.replace(/^A name/, 'A slug')
  return slug.includes('/') ? 'A slug can’t contain "/".' : null
}
