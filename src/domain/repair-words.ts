import type { RepairRow } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'

/** What a repair saves, or has saved, as sentences: the unsent edits first, what is lost last. */
export const repairWords = (row: RepairRow, tense: 'would' | 'did'): string[] => {
  const did = tense === 'did'
  const be = (n: number): string => (did ? (n === 1 ? 'was' : 'were') : 'can be')
  const sentences: string[] = []
  if (row.unsent > 0) sentences.push(`${counted(row.unsent, 'unsent edit')} ${be(row.unsent)} read and saved.`)
  if (row.rebuilt > 0) {
    const what = did ? `${row.rebuilt === 1 ? 'waits' : 'wait'} in the queue for your word` : 'will wait in the queue for your word'
    sentences.push(`${counted(row.rebuilt, 'more unsent edit')} ${be(row.rebuilt)} worked out from what was shown, and ${what}.`)
  }
  if (row.lost > 0)
    sentences.push(`${counted(row.lost, 'unsent edit')} ${did ? (row.lost === 1 ? 'was' : 'were') : row.lost === 1 ? 'is' : 'are'} lost.`)
  if (row.forgotten.length > 0) {
    const names = row.forgotten.slice(0, 10).join(', ') + (row.forgotten.length > 10 ? ', …' : '')
    sentences.push(`${counted(row.forgotten.length, 'unsent deletion')} cannot be carried over; delete again what comes back: ${names}.`)
  }
  if (row.unsent + row.rebuilt + row.lost + row.forgotten.length === 0) {
    sentences.push(
      row.unsure ? 'No unsent edit can be read. If there were any, they are only in the damaged file.' : 'There was no unsent edit.',
    )
  } else if (row.unsure) {
    sentences.push('There may have been more: the part of the file that says how many is damaged too.')
  }
  const records =
    row.records === 0 ? 'Nothing else can be read' : `${counted(row.records, 'record')} of the service ${be(row.records)} read`
  sentences.push(`${records}; the next sync reads everything again.`)
  if (row.history > 0) sentences.push(`${counted(row.history, 'overwritten value')} of the history ${be(row.history)} read.`)
  return sentences
}
