import type { ResolvedValue } from '../../electron/bridge/rows.ts'
import { oneLine } from './one-line.ts'
import { problemWords } from './problem-words.ts'

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
