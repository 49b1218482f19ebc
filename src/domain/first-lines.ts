/** The first `count` lines of a text, and how many lines are left after them. */
export const firstLines = (text: string, count: number): { text: string; left: number } => {
  const lines = text.replace(/\n$/, '').split('\n')
  return { text: lines.slice(0, count).join('\n'), left: Math.max(0, lines.length - count) }
}
