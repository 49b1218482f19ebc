import type { RepairRow } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'

/** The sentences about what a repair recovers or has recovered: unsent changes first, losses last. */
export const repairWords = (row: RepairRow, tense: 'would' | 'did'): string[] => {
  const did = tense === 'did'
  const be = (n: number): string => (did ? (n === 1 ? 'was' : 'were') : 'can be')
  const sentences: string[] = []
  if (row.unsent > 0) sentences.push(`${counted(row.unsent, 'unsent change')} ${be(row.unsent)} recovered.`)
  if (row.rebuilt > 0) {
    const wait = did ? (row.rebuilt === 1 ? 'is waiting' : 'are waiting') : 'will wait'
    sentences.push(`${counted(row.rebuilt, 'more unsent change')} ${be(row.rebuilt)} reconstructed, and ${wait} for your approval.`)
  }
  if (row.lost > 0) sentences.push(`${counted(row.lost, 'unsent change')} ${did ? (row.lost === 1 ? 'was' : 'were') : 'will be'} lost.`)
  if (row.unknownDeletions.length > 0) {
    const names = row.unknownDeletions.slice(0, 10).join(', ') + (row.unknownDeletions.length > 10 ? ', …' : '')
    sentences.push(
      `${counted(row.unknownDeletions.length, 'unsent deletion')} can’t be recovered. If these come back, delete them again: ${names}.`,
    )
  }
  if (row.unsent + row.rebuilt + row.lost + row.unknownDeletions.length === 0) {
    sentences.push(
      row.unsure ? 'No unsent changes can be read. If there were any, they exist only in that file.' : 'There were no unsent changes.',
    )
  } else if (row.unsure) {
    sentences.push('There may have been more: the part of the file that counts them is damaged too.')
  }
  const records = row.records === 0 ? 'Nothing else can be read' : `${counted(row.records, 'record')} ${be(row.records)} read`
  sentences.push(`${records}. Everything is then read again from the service.`)
  if (row.history > 0) sentences.push(`${counted(row.history, 'value')} from the value history ${be(row.history)} read.`)
  return sentences
}
