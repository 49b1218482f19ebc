import { nextJsonToken, type JsonToken } from '../../electron/transfer/json-tokens.ts'

export interface JsonProblem {
  /** UTF-16 position in the text; its length where something is missing at the end. */
  at: number
  /** From 1. */
  line: number
  /** From 1. */
  column: number
  /** One sentence. */
  message: string
}

type Awaited = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'more' | 'end'

const missing: { readonly [A in Awaited]: string } = {
  value: 'A value is missing here.',
  'first-value': 'A value or ] is missing here.',
  key: 'A name in double quotes is missing here.',
  'first-key': 'A name in double quotes or } is missing here.',
  colon: 'A colon is missing here.',
  more: 'A comma or the closing bracket is missing here.',
  end: 'The JSON ends before this. Remove the rest.',
}

/** What may follow `token` where `awaited` was expected; null: it is not allowed there. `open`: the open brackets. */
const after = (awaited: Awaited, { kind }: JsonToken, open: ('{' | '[')[]): Awaited | null => {
  const closed = (): Awaited => (open.length === 0 ? 'end' : 'more')
  if ((kind === '}' || kind === ']') && (awaited === 'more' || awaited === (kind === '}' ? 'first-key' : 'first-value'))) {
    if (open.at(-1) !== (kind === '}' ? '{' : '[')) return null
    open.pop()
    return closed()
  }
  switch (awaited) {
    case 'value':
    case 'first-value':
      if (kind === 'string' || kind === 'scalar') return closed()
      if (kind !== '{' && kind !== '[') return null
      open.push(kind)
      return kind === '{' ? 'first-key' : 'first-value'
    case 'key':
    case 'first-key':
      return kind === 'string' ? 'colon' : null
    case 'colon':
      return kind === ':' ? 'value' : null
    case 'more':
      return kind !== ',' ? null : open.at(-1) === '{' ? 'key' : 'value'
    case 'end':
      return null
  }
}

const placed = (text: string, at: number, message: string): JsonProblem => {
  const before = text.slice(0, at)
  return { at, line: before.split('\n').length, column: at - (before.lastIndexOf('\n') + 1) + 1, message }
}

/** The first place where `text` is no JSON (RFC 8259), or null where it is. Linear in time, without recursion. */
export const jsonProblem = (text: string): JsonProblem | null => {
  const open: ('{' | '[')[] = []
  let awaited: Awaited = 'value'
  let at = 0
  for (;;) {
    const token = nextJsonToken(text, at)
    if (token === null) return awaited === 'end' ? null : placed(text, text.trimEnd().length, missing[awaited])
    if ('fault' in token) return placed(text, token.at, token.fault)
    const next: Awaited | null = after(awaited, token, open)
    if (next === null) return placed(text, token.at, missing[awaited])
    awaited = next
    at = token.end
  }
}
