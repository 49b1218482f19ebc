import { StreamLanguage } from '@codemirror/language'

interface YamlState {
  /** How far the key of a block of text is indented, while lines of that text may follow. */
  block: number | null
  place: 'key' | 'value'
}

/**
 * Colours of a YAML text as exports and imports have it: keys, scalars, blocks of text. It decides nothing; the application reads the text.
 */
export const yamlLanguage = StreamLanguage.define<YamlState>({
  name: 'yaml',
  startState: () => ({ block: null, place: 'key' }),
  token(stream, state) {
    if (stream.sol()) {
      state.place = 'key'
      if (state.block !== null) {
        if (stream.indentation() > state.block) {
          stream.skipToEnd()
          return 'string'
        }
        state.block = null
      }
    }
    if (stream.eatSpace()) return null
    if (stream.peek() === '#') {
      stream.skipToEnd()
      return 'comment'
    }
    if (state.place === 'key') {
      if (stream.match(/^(?:---|\.\.\.)\s*$/) || stream.match(/^-(?=\s|$)/)) return 'punctuation'
      // A key ends at its last character: a pattern that tried every space as its end would take time quadratic in them.
      if (stream.match(/^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s:#"'](?:[^:#]*[^\s:#])?)(?=\s*:(?:\s|$))/)) return 'propertyName'
      if (stream.match(/^:(?=\s|$)/)) {
        state.place = 'value'
        return 'punctuation'
      }
    }
    if (stream.match(/^[|>][+-]?\d?\s*$/)) {
      state.block = stream.indentation()
      return 'punctuation'
    }
    if (stream.match(/^(?:true|false|null|~)\s*$/)) return 'keyword'
    if (stream.match(/^-?\d+(?:\.\d+)?\s*$/)) return 'number'
    if (stream.match(/^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/)) return 'string'
    stream.match(/^\S+(?:\s+[^\s#]\S*)*/)
    return 'string'
  },
})
