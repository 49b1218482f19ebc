import type { ReferenceProblem } from '../../electron/bridge/rows.ts'

/** What is wrong with one reference of a value, as one sentence. */
export const problemWords = ({ kind, path }: ReferenceProblem): string => {
  const trail = path.slice(1).join(' → ')
  if (trail === '') return kind === 'too-large' ? 'Put together, this is too large to show.' : 'This value cannot be read with this key.'
  if (kind === 'missing') return `${trail} is not there.`
  if (kind === 'circular') return `${trail} leads back to itself.`
  return kind === 'unreadable' ? `${trail} cannot be read with this key.` : `${trail} is too large when put together.`
}
