import type { ImportFormat } from '../bridge/rows.ts'
import { detectFormat } from './detect-format.ts'
import { encryptionProblem, withReferenceNotes } from './foreign-values.ts'
import { isManifest } from './kubernetes-manifest.ts'
import { readDotenv } from './read-dotenv.ts'
import { readJson } from './read-json.ts'
import { UnreadableText } from './read-limits.ts'
import { readShell } from './read-shell.ts'
import type { ReadText } from './read-text.ts'
import { listNames, unwrapJson } from './unwrap-json.ts'

export type ReadOutcome = { ok: true; format: ImportFormat; read: ReadText } | { ok: false; format: ImportFormat; problem: string }

/**
 * Reads a text to import in the format given, or the one it looks like. If nothing can be read, returns `problem`: one sentence that quotes
 * only line numbers and names.
 */
export async function readImport(text: string, wanted: ImportFormat | 'auto'): Promise<ReadOutcome> {
  const format = wanted === 'auto' ? detectFormat(text) : wanted
  try {
    const read = await readers[format](text)
    const problem = encryptionProblem(text, read.entries)
    return problem === null ? { ok: true, format, read: withReferenceNotes(read) } : { ok: false, format, problem }
  } catch (error) {
    if (error instanceof UnreadableText) return { ok: false, format, problem: error.message }
    throw error
  }
}

const readers: Record<ImportFormat, (text: string) => ReadText | Promise<ReadText>> = {
  env(text) {
    const exports = readShell(text)
    if (exports !== null) return { entries: exports, invalid: [] }
    const { entries, ignored } = readDotenv(text)
    return {
      entries: entries.map((entry) => ({ ...entry, type: null, note: null })),
      invalid: ignored.map((part) => ({ ...part, name: '' })),
    }
  },
  json(text) {
    const read = readJson(text, listNames)
    return isKubernetes(read) ? readYaml(text) : unwrapJson(read)
  },
  yaml: readYaml,
}

/** Imported late: loading the parser takes longer than reading a large .env. */
async function readYaml(text: string): Promise<ReadText> {
  return (await import('./read-yaml.ts')).readYaml(text)
}

/** Whether a JSON text is a manifest of Kubernetes that holds variables. JSON is YAML too, whose reader decodes the values. */
function isKubernetes({ entries }: ReadText): boolean {
  const textOf = (field: string) => entries.findLast(({ name }) => name === field)?.value
  return isManifest(textOf('kind'), textOf('apiVersion'))
}
