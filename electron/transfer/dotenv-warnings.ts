import type { ImportWarning } from '../bridge/rows.ts'
import type { ScannedEntry } from './scan-dotenv.ts'

/**
 * Where the grammar of .env reads a line otherwise than it looks. `content` is the line that the entry's name is on. A `#` cuts a value that is
 * not in quotes even without a space before it, and a quote that is not closed becomes a part of the value.
 */
export function dotenvWarnings({ name, value }: ScannedEntry, content: string): ImportWarning[] {
  const rest = valuePart.exec(content)
  const written = rest?.[2]
  if (rest?.[1] !== name || written === undefined) return []
  const quote = /^\s*(["'`])/.exec(written)?.[1]
  // Between quotes that count no such quote can come first, so one that does is a part of the value.
  const isKept = quote !== undefined && value.startsWith(quote)
  if (quote !== undefined && !isKept) return []
  const warnings: ImportWarning[] = []
  if (isKept) warnings.push(written.split(quote).length === 2 ? 'open-quote' : 'after-quote')
  const hash = written.indexOf('#')
  if (hash === 0 || (hash > 0 && /\S/.test(written.charAt(hash - 1)))) warnings.push('cut-at-hash')
  return warnings
}

/** A name, and what comes after its `=` or colon. */
const valuePart = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:(?=\s))(.*)$/
