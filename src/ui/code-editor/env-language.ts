import { StreamLanguage } from '@codemirror/language'

interface EnvState {
  /** The quote of the value the last line ended in. */
  quote: '"' | "'" | '`' | null
  place: 'name' | 'value'
}

const isQuote = (char: string): char is '"' | "'" | '`' => char === '"' || char === "'" || char === '`'

/** Colours of a .env text: comments, names, quoted values over several lines. It decides nothing; the application reads the text. */
export const envLanguage = StreamLanguage.define<EnvState>({
  name: 'env',
  startState: () => ({ quote: null, place: 'name' }),
  token(stream, state) {
    if (stream.sol() && state.quote === null) state.place = 'name'
    if (state.quote !== null) {
      if (stream.skipTo(state.quote)) {
        stream.next()
        state.quote = null
      } else stream.skipToEnd()
      return 'string'
    }
    if (stream.eatSpace()) return null
    if (state.place === 'name') {
      if (stream.peek() === '#') {
        stream.skipToEnd()
        return 'comment'
      }
      if (stream.match(/^export(?=\s)/)) return 'keyword'
      if (stream.match(/^[^\s=#]+(?=\s*[=:])/)) return 'propertyName'
      if (stream.eat('=') || stream.eat(':')) {
        state.place = 'value'
        return 'punctuation'
      }
      stream.next()
      return 'invalid'
    }
    const char = stream.peek()
    if (char !== undefined && isQuote(char)) {
      stream.next()
      state.quote = char
      return 'string'
    }
    if (char === '#') {
      stream.skipToEnd()
      return 'comment'
    }
    stream.match(/^[^#]+/)
    return 'string'
  },
})
