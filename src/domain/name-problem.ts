/** Why `name` cannot be a variable's name, as one sentence, or null. The application and the service refuse the same names. */
export const nameProblem = (name: string): string | null => {
  if (name === '') return 'A variable needs a name.'
  if (name === '.' || name === '..') return `“${name}” cannot be a name. Use letters, digits and underscores.`
  if (name.includes('/')) return 'A name cannot contain “/”. Use “_” instead.'
  if (/\p{Cc}/u.test(name)) return 'A name cannot contain line breaks or other control characters. Remove them.'
  if (name.length > 255) return `A name has at most 255 characters; this one has ${name.length}. Shorten it.`
  return null
}
