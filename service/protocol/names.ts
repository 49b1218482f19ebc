import { iconLimit, labelLimit, nameLimit, noteLimit, slugLimit } from './limits.ts'

/**
 * The rules of names and slugs, shared by service, application and page. Each function gives one sentence
 * that says what is wrong, or null when the text is fine.
 */

const controlCharacter = /\p{Cc}/u
const controlExceptLayout = /[^\P{Cc}\n\r\t]/u
const slugShape = /^[a-z0-9][a-z0-9-]*$/
// A code point of this class in a `u` regular expression is a surrogate without its partner.
const loneSurrogate = /\p{Cs}/u

/** Limits count code points, of which each takes one or two units of a string. */
const isLonger = (text: string, limit: number): boolean => text.length > limit && [...text].length > limit

const plainTextProblem = (what: string, text: string, limit: number): string | null => {
  if (text === '') return `${what} can’t be empty.`
  if (text === '.' || text === '..') return `${what} can’t be "." or "..".`
  if (controlCharacter.test(text)) return `${what} can’t contain line breaks, tabs or other control characters.`
  if (loneSurrogate.test(text)) return `${what} contains half of a Unicode character. Type it again.`
  if (isLonger(text, limit)) return `${what} can have at most ${limit} characters.`
  return null
}

/** A variable's name: any text but `.`, `..`, control characters and `/`, up to 255 characters. */
export const variableNameProblem = (name: string): string | null => {
  const problem = plainTextProblem('A variable name', name, nameLimit)
  if (problem !== null) return problem
  return name.includes('/') ? 'A variable name can’t contain "/". Use "_" instead.' : null
}

/** The display name of a workspace, project or environment. */
export const displayNameProblem = (name: string): string | null => plainTextProblem('A name', name, nameLimit)

/** What the first workspace of a service is called until someone renames it. */
export const firstWorkspaceName = 'Workspace'

/** The slug of a workspace, project or environment: `[a-z0-9][a-z0-9-]{0,62}`. */
export const slugProblem = (slug: string): string | null => {
  if (slug === '') return 'A slug can’t be empty.'
  if (!slugShape.test(slug)) return 'Use lowercase letters, digits and hyphens for the slug, starting with a letter or digit.'
  return slug.length > slugLimit ? `A slug can have at most ${slugLimit} characters.` : null
}

/** The label of a version. */
export const labelProblem = (label: string): string | null => plainTextProblem('A label', label, labelLimit)

/** The icon of a workspace or project: a short word or an emoji. */
export const iconProblem = (icon: string): string | null => plainTextProblem('An icon', icon, iconLimit)

/** The note of a version: any text, also empty or of several lines. */
export const noteProblem = (note: string): string | null => {
  if (controlExceptLayout.test(note)) return 'A note can’t contain control characters other than line breaks and tabs.'
  if (loneSurrogate.test(note)) return 'A note contains half of a Unicode character. Type it again.'
  return isLonger(note, noteLimit) ? `A note can have at most ${noteLimit} characters.` : null
}
