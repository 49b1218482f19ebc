import type { ReferenceFlag, ReferenceProblem, ResolvedValue } from '../../electron/bridge/rows.ts'
import { oneLine } from './one-line.ts'

const words: { readonly [K in ReferenceFlag['kinds'][number]]: string } = {
  missing: 'refers to a variable that isn’t defined',
  circular: 'refers back to itself',
  unreadable: 'refers to a value that can’t be read or is Unverified',
  'too-large': 'is too large when resolved',
}

/** The problems of the references of a value, as one sentence. */
export const referenceWords = (kinds: ReferenceFlag['kinds']): string => `This value ${kinds.map((kind) => words[kind]).join(', and ')}.`

/** The problem of one reference of a value, as one sentence. */
export const problemWords = ({ kind, path }: ReferenceProblem): string => {
  const trail = path.slice(1).join(' → ')
  if (trail === '') return kind === 'too-large' ? 'Too large to show when resolved.' : 'This value can’t be read or is Unverified.'
  if (kind === 'missing') return trail.includes('.') ? `${trail} isn’t defined.` : `${trail} isn’t defined in this environment.`
  if (kind === 'circular') return `${trail} refers back to itself.`
  return kind === 'unreadable' ? `${trail} can’t be read or is Unverified.` : `${trail} is too large when resolved.`
}

/** A resolved value as one line next to it; null without references. */
export const resolvedWords = (resolved: ResolvedValue | undefined): { text: string; isProblem: boolean } | null => {
  if (resolved === undefined || !resolved.hasReferences) return null
  const [problem] = resolved.problems
  if (problem !== undefined) return { text: problemWords(problem), isProblem: true }
  switch (resolved.state) {
    case 'shown':
      return { text: `= ${oneLine(resolved.value ?? '')}`, isProblem: false }
    case 'masked':
      return { text: 'Contains a secret. Press Space to reveal.', isProblem: false }
    case 'too-large':
      return { text: 'Too large to show when resolved.', isProblem: true }
    case 'unreadable':
      return null
  }
}
