import { treePage } from './btree-page.ts'
import type { Pages } from './read-pages.ts'
import type { Value } from './record.ts'

/** What can be reached of one tree. */
export interface Walked {
  /** Pages with rows. */
  leaves: number[]
  /** Entries of an index. */
  entries: Value[][]
  /** Nothing of it is missing: every page could be read, and every entry on it. */
  whole: boolean
}

/** Follows a tree from its root; pages that lead nowhere, or in a circle, are left out and noted. */
export function walkTree(pages: Pages, root: number): Walked {
  const walked: Walked = { leaves: [], entries: [], whole: true }
  const seen = new Set<number>()
  const open = [root]
  for (let number = open.pop(); number !== undefined; number = open.pop()) {
    const page = seen.has(number) ? null : treePage(pages, number)
    seen.add(number)
    if (page === null || page.broken > 0) walked.whole = false
    if (page?.kind === 'rows') walked.leaves.push(number)
    if (page?.kind === 'entries') for (const entry of page.entries) walked.entries.push(entry)
    if (page?.kind === 'entries' || page?.kind === 'branch') open.push(...page.children)
  }
  return walked
}
