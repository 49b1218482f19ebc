import { variableNameProblem } from '../../../service/protocol/names.ts'
import type { ImportLine } from '../../bridge/rows.ts'
import { guessSecret } from '../../transfer/guess-secret.ts'
import { readDotenv } from '../../transfer/read-dotenv.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Row } from '../../sync/change.ts'

/** One line of the preview, with what applying it needs. */
export interface PlannedLine extends ImportLine {
  value: string | null
  /** The variable of that name that is there already. */
  existingId: string | null
}

/**
 * Compares a .env text with the variables of an environment, without changing anything: pure, so that
 * the preview and the import cannot disagree. Values are compared by tag; nothing is opened.
 */
export function planImport(text: string, present: readonly Row[], cipher: WorkspaceCipher): PlannedLine[] {
  const { entries, ignored } = readDotenv(text)
  const byName = new Map(present.map((row) => [row.fields.name, row]))
  const lines = entries.map(({ line, name, value, overridden }): PlannedLine => {
    const existing = byName.get(name)
    const isSecret = existing?.fields.isSecret ?? guessSecret(name)
    const found = { line, name, value, isSecret, existingId: existing?.id ?? null }
    const problem = variableNameProblem(name)
    if (problem !== null) return { ...found, status: 'invalid', reason: problem }
    if (overridden) return { ...found, status: 'overridden', reason: 'A later line sets the same name; the last one counts.' }
    if (existing === undefined) return { ...found, status: 'added', reason: null }
    const held = existing.fields.value
    const same = held !== undefined && held.keyId === cipher.keyId && held.tag === cipher.tagOf(value)
    return { ...found, status: same ? 'unchanged' : 'changed', reason: null }
  })
  const bad = ignored.map(({ line, reason }): PlannedLine => {
    return { line, name: '', value: null, isSecret: false, existingId: null, status: 'invalid', reason }
  })
  return [...lines, ...bad].toSorted((a, b) => a.line - b.line)
}
