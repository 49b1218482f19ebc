import { spreadText } from './row.ts'
import type { Summary } from './row.ts'

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** The rows of a case as a Markdown table under its name, and when and where it was measured: medians, in brackets the lowest and the highest round. */
export const tableOf = (name: string, when: string, rows: readonly Summary[]): string => {
  const lines = rows.map(({ what, unit, ours, rival, ratio, goal, met }) => {
    const beside = rival === null ? '' : `${spreadText(rival)} (${rival.what})`
    const verdict = met === null ? '' : met ? 'yes' : '**no**'
    return [what, unit, spreadText(ours), beside, ratio === null ? '' : spreadText(ratio), goal ?? '', verdict].map(cell)
  })
  const head = ['`npm run bench -- ' + name + '`, ' + when, '', 'ours', 'beside', 'ratio', 'goal', 'met']
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}
