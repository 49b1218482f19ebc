import type { ReferenceFlag, ReferenceProblem, ResolvedValue } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'
import { oneLine } from './one-line.ts'

const words: { readonly [K in ReferenceFlag['kinds'][number]]: string } = {
  missing: 'refers to a variable that isn’t defined',
  circular: 'refers back to itself',
  unreadable: 'refers to a value that can’t be read with this key',
  unverified: 'refers to a value that is Unverified',
  'too-large': 'is too large when resolved',
}

/** The problems of the references of a value, as one sentence. */
export const referenceWords = (kinds: ReferenceFlag['kinds']): string => `This value ${kinds.map((kind) => words[kind]).join(', and ')}.`

/** The problem of one reference of a value, as one sentence. */
export const problemWords = ({ kind, path }: ReferenceProblem): string => {
  const trail = path.slice(1).join(' › ')
  const what = trail === '' ? 'This value' : trail
  switch (kind) {
    case 'missing':
      return trail.includes('.') ? `${trail} isn’t defined.` : `${trail} isn’t defined in this environment.`
    case 'circular': {
      const loop = path.slice(path.findIndex((name) => name === path.at(-1)))
      return `${loop.length > 2 ? loop.join(' › ') : trail} refers back to itself.`
    }
    case 'unreadable':
      return `${what} can’t be read with this key.`
    case 'unverified':
      return `${what} is Unverified. Accept or restore it first.`
    case 'too-large':
      return trail === '' ? 'Too large to show when resolved.' : `${trail} is too large when resolved.`
  }
}

/** The variable to edit to solve a problem: the last one on the way to it that is in the environment of the first. */
const mendedAt = ({ kind, path }: ReferenceProblem): string | null => {
  const away = path.findIndex((name, at) => at > 0 && name.includes('.'))
  const here = away < 0 ? path : path.slice(0, away)
  const isEnd = here.length === path.length && (kind === 'missing' || kind === 'circular')
  return (isEnd ? here.slice(0, -1) : here).at(-1) ?? null
}

export interface ResolvedWords {
  text: string
  isProblem: boolean
  /** The text is the resolved value. */
  isValue: boolean
  /** Each problem, and the name of the variable to edit. */
  problems: readonly { text: string; name: string | null }[]
}

/** A resolved value as one line next to it; null without references. */
export const resolvedWords = (resolved: ResolvedValue | undefined): ResolvedWords | null => {
  if (resolved === undefined || !resolved.hasReferences) return null
  const problems = resolved.problems.map((problem) => ({ text: problemWords(problem), name: mendedAt(problem) }))
  const count = problems.length > 1 ? `${counted(problems.length, 'broken reference')}: ` : ''
  const told = (text: string, kind: 'value' | 'problem' | 'note') => ({
    text,
    isProblem: kind === 'problem',
    isValue: kind === 'value',
    problems,
  })
  if (problems.length > 0) return told(`${count}${problems.map(({ text }) => text).join(' ')}`, 'problem')
  switch (resolved.state) {
    case 'shown':
      return told(`= ${oneLine(resolved.value)}`, 'value')
    case 'masked':
      return told('Contains a secret. Press Space to reveal.', 'note')
    case 'too-large':
      return told('Too large to show when resolved.', 'problem')
    case 'unreadable':
      return null
  }
}
