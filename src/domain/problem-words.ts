import type { ReferenceProblem } from '../../electron/bridge/rows.ts'

/** The problem of one reference of a value, as one sentence. */
export const problemWords = ({ kind, path }: ReferenceProblem): string => {
  const trail = path.slice(1).join(' → ')
  if (trail === '') return kind === 'too-large' ? 'Too large to show when resolved.' : 'This value can’t be read or is Unverified.'
  if (kind === 'missing') return trail.includes('.') ? `${trail} isn’t defined.` : `${trail} isn’t defined in this environment.`
  if (kind === 'circular') return `${trail} refers back to itself.`
  return kind === 'unreadable' ? `${trail} can’t be read or is Unverified.` : `${trail} is too large when resolved.`
}
