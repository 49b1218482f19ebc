import type { ExportFormat } from './export-entry.ts'
import { plainScalar } from './plain-scalar.ts'

/**
 * A YAML mapping, numbers and booleans as such. Readers of YAML 1.1 and 1.2 disagree on many texts, and some refuse the whole file for one
 * character. So a text is written without quotes only where all readers agree, and in double quotes with escapes otherwise.
 */
export const yamlFormat: ExportFormat = {
  ending: '.yaml',
  isJoinable: true,
  refusal: () => null,
  write: (entries) =>
    entries.length === 0
      ? '{}\n'
      : entries.map((entry) => `${keyOf(entry.name)}: ${plainScalar(entry) ?? blockOf(entry.value) ?? textOf(entry.value)}\n`).join(''),
}

const textOf = (text: string): string => (isPlain(text) ? text : quoted(text))

/** Readers look for the `:` of a key within 1024 characters, unless `?` announces the key. */
function keyOf(name: string): string {
  const written = textOf(name)
  return written.length < 1000 ? written : `? ${written}\n`
}

/** Whether a text can stand without quotes: no reader takes it for anything but this text. */
const isPlain = (text: string): boolean => /^[A-Za-z_/][\w./@%+,=&?: -]*$/.test(text) && !/[: ](?![\w/])/.test(text) && !words.test(text)

/** The booleans and nulls of YAML 1.1, and what some of its readers take for a number, such as `E0`. */
const words = /^(?:y|yes|n|no|true|false|on|off|null|[_e][\d_.+e-]*)$/i

/** The escapes of JSON are escapes of YAML too. It also needs one for what it counts as a line break or as not printable. */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Returns lines of visible ASCII as a block, which is easier to read than escapes. Null: the text isn't such lines. */
function blockOf(text: string): string | null {
  if (!/^[\x21-\x7e][\x20-\x7e]*(?:\n[\x20-\x7e]+)+\n?$/.test(text)) return null
  const isEnded = text.endsWith('\n')
  const lines = (isEnded ? text.slice(0, -1) : text).replaceAll('\n', '\n  ')
  return `${isEnded ? '|' : '|-'}\n  ${lines}`
}
