import { Document } from 'yaml'
import type { ExportFormat as FormatName } from '../../bridge/rows.ts'
import { formatDotenv, notForShells, UnwritableEntry } from '../dotenv.ts'
import { shellNameProblem } from '../shell-name-problem.ts'
import type { ExportEntry, ExportFormat } from './export-entry.ts'
import { kubernetesFormat } from './kubernetes-format.ts'

const holdsNul = (value: string): boolean => value.includes('\0')

/** The most names in one note. */
const namedAtMost = 10

/** A .env text for `dotenv` and its kin. */
const dotenvFormat: ExportFormat = {
  ending: '.env',
  isJoinable: true,
  refusal(entry) {
    try {
      formatDotenv([entry])
      return null
    } catch (error) {
      if (error instanceof UnwritableEntry) return `${error.why.charAt(0).toUpperCase()}${error.why.slice(1)}.`
      throw error
    }
  },
  write: formatDotenv,
  notes(entries) {
    const names = notForShells(entries)
    if (names.length === 0) return []
    const listed =
      names.length > namedAtMost ? `${names.slice(0, namedAtMost).join(', ')} and ${names.length - namedAtMost} more` : names.join(', ')
    return [`Don’t source this file in a shell, which would run or change ${listed}. Choose the Shell format for that.`]
  },
}

/**
 * Returns the value as a number or boolean of JSON, if its type says so and reading it back gives the same text. Null if it must be written
 * as a text.
 */
function plainScalar({ value, type }: ExportEntry): string | null {
  if (type === 'boolean') return value === 'true' || value === 'false' ? value : null
  if (type === 'number') return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value) ? value : null
  return null
}

/** A JSON object, with numbers and booleans as such. Holds any name and any value. */
const jsonFormat: ExportFormat = {
  ending: '.json',
  refusal: () => null,
  write: (entries) =>
    entries.length === 0
      ? '{}\n'
      : `{\n${entries.map((entry) => `  ${JSON.stringify(entry.name)}: ${plainScalar(entry) ?? JSON.stringify(entry.value)}`).join(',\n')}\n}\n`,
}

/** A YAML 1.2 mapping, numbers and booleans as such; texts are quoted so that readers of YAML 1.1 see the same. */
const yamlFormat: ExportFormat = {
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

/** The library would rewrite numbers, so they are written in place of an empty text. */
function lineOf(name: string, value: string): string {
  const document = new Document(new Map([[name, value]]), { version: '1.2', schema: 'core', compat: 'yaml-1.1' })
  return document.toString({ lineWidth: 0, blockQuote: isPlainBlock(value) })
}

/** A block is easier to read than escapes, if no reader can misread or lose anything in it. */
const isPlainBlock = (value: string): boolean => /^[\x21-\x7e][\x20-\x7e]*(?:\n[\x20-\x7e]+)+\n?$/.test(value)

/** Lines for a POSIX shell to read with `.`: nothing in a value is expanded or run. */
const shellFormat: ExportFormat = {
  ending: '.sh',
  isJoinable: true,
  refusal: ({ name, value }) => shellNameProblem(name) ?? (holdsNul(value) ? 'A shell value can’t contain a NUL character.' : null),
  write: (entries) => entries.map(({ name, value }) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`).join(''),
}

/** Docker reads lines shorter than this. */
const lineLimit = 64 * 1024

/**
 * A file for `docker run --env-file`: a name, `=`, and the rest of the line as it stands. There are no quotes and no escapes, so the format
 * can't hold a value of several lines.
 */
const dockerFormat: ExportFormat = {
  ending: '.docker.env',
  isJoinable: true,
  refusal({ name, value }) {
    if (name === '' || /[\s=\ufeff]/.test(name) || name.startsWith('#')) {
      return 'Docker names can’t contain a space or "=", or begin with "#".'
    }
    if (/[\r\n]/.test(value)) return 'Docker reads an --env-file line by line, so a value can’t contain a line break.'
    if (holdsNul(value)) return 'An environment value can’t contain a NUL character.'
    if (Buffer.byteLength(`${name}=${value}`, 'utf8') >= lineLimit) return 'Docker reads lines shorter than 64 KiB, and this one is longer.'
    return null
  },
  write: (entries) => entries.map(({ name, value }) => `${name}=${value}\n`).join(''),
}

export const exportFormats: Readonly<Record<FormatName, ExportFormat>> = {
  env: dotenvFormat,
  json: jsonFormat,
  yaml: yamlFormat,
  shell: shellFormat,
  docker: dockerFormat,
  kubernetes: kubernetesFormat,
}
