import { displayNameProblem } from '../../../service/protocol/names.ts'
import { err, ok, type Result } from '../../bridge/result.ts'

/** A slug of somebody's server as it was typed: any text that can be a part of an address. Other servers have other rules than ours. */
export function slugOfTheirs(field: 'project' | 'environment', text: string): Result<string> {
  const slug = text.trim()
  if (slug === '') return invalid(field, `Enter the slug of the ${field}: the short name that stands in its address.`)
  const problem = displayNameProblem(slug)
  if (problem !== null) return invalid(field, problem.replace(/^A name/, 'A slug'))
  return slug.includes('/') ? invalid(field, 'A slug cannot hold a "/".') : ok(slug)
}

const invalid = (field: string, message: string) => err({ kind: 'invalid-input' as const, message, field })
