import { isUnverified } from '../../cipher/stored-value.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getWorking } from '../../mirror/working-layer.ts'
import type { Book, Entry } from '../../references/evaluate.ts'
import { outlineOf, type Outline } from '../../references/parse-value.ts'
import { isVariable, type Row, type Variable } from '../../queue/entry.ts'
import type { OutlineCache } from './outline-cache.ts'

/** A book over one consistent state of a workspace, valid within its transaction. */
export interface OpenBook extends Book {
  entryOf(row: Variable): Entry
  /** Returns the value as typed; null: it can't be read. */
  open(id: string): string | null
}

/**
 * Finds the variables that references name. `NAME` is a variable of the same environment. `environment.NAME`, if no variable has that whole
 * name, is a variable of another environment of the project, by its slug. Caches all lookups.
 */
export function openBook(tx: Tx, cipher: WorkspaceCipher, outlines: OutlineCache): OpenBook {
  const entries = new Map<string, Entry>()
  const found = new Map<string, Entry | null>()
  const scopes = new Map<string, string | null>()
  const values = new Map<string, string | null>()

  const open = (id: string): string | null =>
    remembered(values, id, () => {
      const sealed = getWorking(tx, id)?.fields.value?.sealed
      return sealed === undefined ? null : cipher.open(sealed)
    })
  const outlineFor = ({ id, fields: { value } }: Row): Outline | null => {
    if (value === undefined) return null
    const tag = value.keyId === cipher.keyId ? value.tag : null
    const known = tag === null ? undefined : outlines.get(value.keyId, tag)
    if (known !== undefined) return known
    const text = cipher.open(value.sealed)
    values.set(id, text)
    const outline = text === null ? null : outlineOf(text)
    if (outline !== null && tag !== null) outlines.put(value.keyId, tag, outline)
    return outline
  }
  const entryOf = (row: Variable): Entry =>
    remembered(entries, row.id, () => {
      const { name, isSecret, value } = row.fields
      const isDoubted = value !== undefined && isUnverified(value.sealed)
      const outline = isDoubted ? null : outlineFor(row)
      return { id: row.id, name, scope: row.parentId, isSecret: isSecret !== false, outline, isUnverified: isDoubted }
    })
  const named = (scope: string, name: string): Entry | null => {
    const row = findWorking(tx, 'variable', scope, name)
    return isVariable(row) ? entryOf(row) : null
  }
  /** Returns the environment with this slug in the same project. */
  const scopeOf = (scope: string, slug: string): string | null =>
    remembered(scopes, `${scope} ${slug}`, () => {
      const projectId = getWorking(tx, scope)?.parentId ?? null
      return projectId === null ? null : (findWorking(tx, 'environment', projectId, slug)?.id ?? null)
    })
  const findEntry = (scope: string, source: string): Entry | null => {
    const own = named(scope, source)
    const dot = source.indexOf('.')
    if (own !== null || dot === -1) return own
    const otherScope = scopeOf(scope, source.slice(0, dot))
    return otherScope === null ? null : named(otherScope, source.slice(dot + 1))
  }

  return {
    entryOf,
    open,
    find: (scope, source) => remembered(found, `${scope} ${source}`, () => findEntry(scope, source)),
  }
}

/** Returns an entry of a map; computes it at the first call. */
function remembered<T>(known: Map<string, T>, key: string, work: () => T): T {
  const before = known.get(key)
  if (before !== undefined) return before
  const found = work()
  known.set(key, found)
  return found
}
