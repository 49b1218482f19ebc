import { medianText } from './row.ts'
import type { Summary } from './row.ts'

const width = 880
const rowHeight = 26
const top = 92
const nameEnd = 330
const middle = 615
const reach = 165
/** How many times better or worse than its goal a row can be before its bar is cut off. */
const widest = 16

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const times = (room: number): string => {
  const factor = room >= 1 ? room : 1 / room
  return `${factor >= 10 ? Math.round(factor) : factor.toFixed(1)} × ${room >= 1 ? 'better' : 'worse'}`
}

const rowOf = ({ what, unit, judged, goal, room }: Summary, index: number): string => {
  if (room === null || judged === null) throw new Error(`${what} has no goal`)
  const y = top + index * rowHeight
  const length = Math.max(2, Math.min(1, Math.abs(Math.log(room)) / Math.log(widest)) * reach)
  const isMet = room >= 1
  const shown = `${judged.of === 'difference' ? '+' : ''}${medianText(judged)} ${judged.of === 'ratio' ? '×' : unit}`
  const barX = isMet ? middle : middle - length
  return [
    index % 2 === 0 ? `<rect class="band" x="0" y="${y}" width="${width}" height="${rowHeight}"/>` : '',
    `<text x="12" y="${y + 17}">${escape(what)}</text>`,
    `<text class="figure" x="${nameEnd + 50}" y="${y + 17}">${escape(shown)}</text>`,
    `<text class="faint" x="${nameEnd + 62}" y="${y + 17}">${escape(goal ?? '')}</text>`,
    `<rect class="${isMet ? 'met' : 'missed'}" x="${barX.toFixed(1)}" y="${y + 7}" width="${length.toFixed(1)}" height="12" rx="2"/>`,
    `<text class="faint figure" x="${width - 12}" y="${y + 17}">${times(room)}</text>`,
  ].join('')
}

/**
 * A picture of the rows that have a goal, in light and dark: each bar begins at the goal and shows on a logarithmic scale how many times better
 * (to the right) or worse (to the left) the median is.
 */
export const chartOf = (rows: readonly Summary[], captions: readonly string[]): string => {
  const judged = rows.filter(({ room }) => room !== null)
  const height = top + judged.length * rowHeight + 14
  const bottom = top + judged.length * rowHeight
  const marks = [1 / widest, 1 / 4, 1, 4, widest].map((factor) => {
    const x = middle + (Math.log(factor) / Math.log(widest)) * reach
    const label = factor === 1 ? 'goal' : factor > 1 ? `${factor} ×` : `1/${1 / factor}`
    return `<line class="${factor === 1 ? 'axis' : 'grid'}" x1="${x}" x2="${x}" y1="${top}" y2="${bottom}"/><text class="faint" text-anchor="middle" x="${x}" y="${top - 8}">${label}</text>`
  })
  const met = judged.filter(({ met }) => met === true).length
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="Figures of the bench beside their goals">
<style>
  svg { font: 12px system-ui, sans-serif; }
  .ground { fill: #ffffff; } text { fill: #1f2328; } .title { font-size: 15px; font-weight: 600; } .faint { fill: #59636e; }
  .figure { text-anchor: end; font-variant-numeric: tabular-nums; } .band { fill: #f6f8fa; } .grid { stroke: #d1d9e0; } .axis { stroke: #59636e; }
  .met { fill: #1a7f64; } .missed { fill: #bc4c00; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; } text { fill: #f0f6fc; } .faint { fill: #9198a1; } .band { fill: #151b23; } .grid { stroke: #3d444d; }
    .axis { stroke: #9198a1; } .met { fill: #3fb68b; } .missed { fill: #db6d28; }
  }
</style>
<rect class="ground" width="${width}" height="${height}" rx="6"/>
<text class="title" x="12" y="24">${met} of ${judged.length} goals met</text>
${captions.map((caption, index) => `<text class="faint" x="12" y="${44 + index * 17}">${escape(caption)}</text>`).join('')}
<text class="faint figure" x="${nameEnd + 50}" y="${top - 8}">median</text><text class="faint" x="${nameEnd + 62}" y="${top - 8}">goal</text>
${judged.map(rowOf).join('\n')}
${marks.join('\n')}
</svg>
`
}
