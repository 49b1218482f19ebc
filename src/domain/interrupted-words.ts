import type { InterruptedNote } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'

/** What became of an import that was interrupted, and what to do. */
export function interruptedWords({ undone, kept, left }: InterruptedNote): string {
  const sentences = ['Holdfast closed or locked before an import was complete.']
  if (undone + kept + left === 0) sentences.push('Nothing of it was saved.')
  if (undone > 0) sentences.push(`${counted(undone, 'change was', 'changes were')} undone.`)
  if (kept > 0) sentences.push(`${counted(kept, 'change')} already sent or edited since ${kept === 1 ? 'was' : 'were'} kept.`)
  if (left > 0) sentences.push(`${counted(left, 'change')} couldn’t be undone.`)
  return [...sentences, 'Import again to complete it.'].join(' ')
}
