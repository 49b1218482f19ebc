import { jsonProblem } from './json-problem.ts'
import { nextJsonToken } from '../../electron/transfer/json-tokens.ts'

/**
 * The same JSON with its white space changed and nothing else: every string, number, name and their order stay as they were typed.
 * `pretty` gives two spaces a level, `compact` one line. Null where the text is no JSON.
 */
export const reformatJson = (text: string, style: 'pretty' | 'compact'): string | null => {
  if (jsonProblem(text) !== null) return null
  const pieces: string[] = []
  let depth = 0
  let at = 0
  let before = ''
  const breakLine = () => style === 'pretty' && pieces.push('\n', '  '.repeat(depth))
  for (;;) {
    const token = nextJsonToken(text, at)
    if (token === null || 'fault' in token) return pieces.join('')
    const { kind } = token
    const closes = kind === '}' || kind === ']'
    if (closes) depth -= 1
    const isAfterOpening = before === '{' || before === '['
    if (before === ',' || isAfterOpening !== closes) breakLine()
    if (before === ':' && style === 'pretty') pieces.push(' ')
    pieces.push(text.slice(token.at, token.end))
    if (kind === '{' || kind === '[') depth += 1
    before = kind
    at = token.end
  }
}
