import type { ExportFormat as FormatName } from '../../bridge/rows.ts'
import { formatDotenv, notForNode, notForOthers, notForRuby, notForShells, notWithoutQuotes, UnwritableEntry } from '../dotenv.ts'
import { shellNameProblem } from '../shell-name-problem.ts'
import type { ExportFormat } from './export-entry.ts'
import { kubernetesFormat } from './kubernetes-format.ts'
import { plainScalar } from './plain-scalar.ts'
import { yamlFormat } from './yaml-format.ts'

const holdsNul = (value: string): boolean => value.includes('\0')

/** The most names in one note. */
const namedAtMost = 10

const listOf = (names: readonly string[]): string =>
  names.length > namedAtMost ? `${names.slice(0, namedAtMost).join(', ')} and ${names.length - namedAtMost} more` : names.join(', ')

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
  notes: [
    {
      namesIn: notForShells,
      say: (names) => `A shell that sources this file would run or change ${listOf(names)}. Choose the Shell format for that.`,
    },
    {
      namesIn: notForNode,
      say: (names) => `Node’s --env-file would change ${listOf(names)}.`,
    },
    {
      namesIn: notForOthers,
      say: (names) => `Docker Compose and python-dotenv may change ${listOf(names)}.`,
    },
    {
      namesIn: notForRuby,
      say: (names) => `Ruby’s dotenv would misread or run ${listOf(names)}.`,
    },
  ],
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

/**
 * Lines for a POSIX shell to read with `.`: nothing in a value is expanded or run. Backslashes stand outside of the quotes, because fish,
 * which reads such files too, takes `\'` in quotes for a quote: the rest of a value would be run as commands.
 */
const shellFormat: ExportFormat = {
  ending: '.sh',
  isJoinable: true,
  refusal: ({ name, value }) => shellNameProblem(name) ?? (holdsNul(value) ? 'A shell value can’t contain a NUL character.' : null),
  write: (entries) => entries.map(({ name, value }) => `export ${name}='${value.replaceAll(/['\\]/g, String.raw`'\$&'`)}'\n`).join(''),
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
  notes: [
    {
      namesIn: (entries) => {
        const changed = new Set(notWithoutQuotes(entries))
        return entries.filter(({ name, value }) => changed.has(name) || /^[\s"'#]|\s#|\$|\s$/.test(value)).map(({ name }) => name)
      },
      say: (names) => `Read this file with docker run only. Docker Compose, or an import as .env, may change ${listOf(names)}.`,
    },
  ],
}

export const exportFormats: Readonly<Record<FormatName, ExportFormat>> = {
  env: dotenvFormat,
  json: jsonFormat,
  yaml: yamlFormat,
  shell: shellFormat,
  docker: dockerFormat,
  kubernetes: kubernetesFormat,
}
