import type { ImportFormat } from '../bridge/rows.ts'

/**
 * Guesses the format of a text from its first line that is not blank or a comment: `{` begins JSON, `NAME=` a .env, `NAME:` and `---` YAML.
 * A text without such a line is a .env.
 */
export function detectFormat(text: string): ImportFormat {
  const found = firstLine.exec(text)
  if (found === null) return 'env'
  const first = found[0].trim().slice(0, 2000)
  if (first.startsWith('{')) return 'json'
  if (/^\[\s*(?:$|["{\d[\]-]|true|false|null)/.test(first)) return 'json'
  if (/^(?:export\s+)?[\w.-]+\s*=/.test(first)) return 'env'
  if (/^(?:---|%YAML)(?:\s|$)/.test(first)) return 'yaml'
  return /^(?:"[^"]*"|'[^']*'|[^\s#"'=][^#=]*?)\s*:(?:\s|$)/.test(first) ? 'yaml' : 'env'
}

/**
 * The first line that is neither blank nor a comment. The pattern ends at the next line: if it looked further, each line would start a
 * search of the whole rest.
 */
const firstLine = /^(?![^\S\n\r\u2028\u2029]*(?:#|$))[^\n\r\u2028\u2029]+/m
