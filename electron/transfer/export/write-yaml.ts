import { Document } from 'yaml'
import type { ExportFormat } from './export-entry.ts'
import { plainScalar } from './plain-scalar.ts'

/** A YAML 1.2 mapping, numbers and booleans as such; texts are quoted so that readers of YAML 1.1 see the same. */
export const yamlFormat: ExportFormat = {
  ending: '.yaml',
  isJoinable: true,
  refusal: () => null,
  write(entries) {
    if (entries.length === 0) return '{}\n'
    return entries
      .map((entry) => {
        const scalar = plainScalar(entry)
        return scalar === null ? lineOf(entry.name, entry.value) : lineOf(entry.name, '').replace(/""\n$/, `${scalar}\n`)
      })
      .join('')
  },
}

/** The library puts numbers in its own words, so those stand in for an empty text. */
function lineOf(name: string, value: string): string {
  const document = new Document(new Map([[name, value]]), { version: '1.2', schema: 'core', compat: 'yaml-1.1' })
  return document.toString({ lineWidth: 0, blockQuote: isPlainBlock(value) })
}

/** A block reads better than escapes, where nothing in it can be mistaken or lost on the way. */
const isPlainBlock = (value: string): boolean => /^[\x21-\x7e][\x20-\x7e]*(?:\n[\x20-\x7e]+)+\n?$/.test(value)
