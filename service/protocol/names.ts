import { iconLimit, labelLimit, nameLimit, noteLimit, slugLimit } from './limits.ts'

/**
 * The rules of names and slugs, shared by app, client and service. Each function gives one sentence
 * that says what is wrong, or null when the text is fine.
 */

const controlCharacter = /\p{Cc}/u
const controlExceptLayout = /[^\P{Cc}\n\r\t]/u
const slugShape = /^[a-z0-9][a-z0-9-]*$/
// A code point of this class in a `u` regular expression is a surrogate without its partner.
const loneSurrogate = /\p{Cs}/u

const characters = (text: string): number => (text.length <= nameLimit ? text.length : [...text].length)

const plainTextProblem = (what: string, text: string, limit: number): string | null => {
  if (text === '') return `${what} cannot be empty.`
  if (text === '.' || text === '..') return `${what} cannot be "." or "..": addresses would not mean what they say.`
  if (controlCharacter.test(text)) return `${what} cannot hold control characters such as line breaks or tabs.`
  if (loneSurrogate.test(text)) return `${what} holds half of a Unicode character; type it again.`
  if (characters(text) > limit) return `${what} is longer than ${limit} characters.`
  return null
}

/** A variable's name: any text but `.`, `..`, control characters and `/`, up to 255 characters. */
export const variableNameProblem = (name: string): string | null => {
  const problem = plainTextProblem('A variable name', name, nameLimit)
  if (problem !== null) return problem
  return name.includes('/') ? 'A variable name cannot hold a "/".' : null
}

/** The display name of a workspace, project or environment. */
export const displayNameProblem = (name: string): string | null => plainTextProblem('A name', name, nameLimit)

/** The slug of a workspace, project or environment: `[a-z0-9][a-z0-9-]{0,62}`. */
export const slugProblem = (slug: string): string | null => {
  if (slug === '') return 'A slug cannot be empty.'
  if (!slugShape.test(slug)) return 'A slug takes small letters a to z, digits and "-", and starts with a letter or digit.'
  return slug.length > slugLimit ? `A slug is longer than ${slugLimit} characters.` : null
}

/** The label of a version. */
export const labelProblem = (label: string): string | null => plainTextProblem('A label', label, labelLimit)

/** The icon of a workspace or project: a short word or an emoji. */
export const iconProblem = (icon: string): string | null => plainTextProblem('An icon', icon, iconLimit)

/** The note of a version: any text, also empty or of several lines. */
export const noteProblem = (note: string): string | null => {
  if (controlExceptLayout.test(note)) return 'A note cannot hold control characters other than line breaks and tabs.'
  if (loneSurrogate.test(note)) return 'A note holds half of a Unicode character; type it again.'
  return note.length > noteLimit ? `A note is longer than ${noteLimit} characters.` : null
}
