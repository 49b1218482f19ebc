import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import type { ImportFormat } from '../../../electron/bridge/rows.ts'

/** An import as `JSON.stringify` writes it. */
export interface KeptImport {
  text: string
  from: string | null
  isReviewed: boolean
  rev: number | null
  format: ImportFormat | null
  mode: ImportDraft['mode']
  leftOut: string[]
  secretNames: [string, boolean][]
}

/** A text that is being imported, and what its user has decided about it. */
export class ImportDraft {
  text = $state('')
  /** The name of the file that it came from. */
  from = $state<string | null>(null)
  /** Its changes are being reviewed. Until then, the text itself is shown. */
  isReviewed = $state(false)
  /** The revision that the first preview of the text showed. */
  rev = $state<number | null>(null)
  /** null: told from the text. */
  format = $state<ImportFormat | null>(null)
  /** What becomes of variables that are not in the text: `merge` keeps them, `replace` deletes them. */
  mode = $state<'merge' | 'replace'>('merge')
  /** The names that the user took out. */
  readonly leftOut: SvelteSet<string>
  /** The names whose secret switch the user set. */
  readonly secretNames: SvelteMap<string, boolean>

  constructor({ leftOut = [], secretNames = [], ...kept }: Partial<KeptImport> = {}) {
    Object.assign(this, kept)
    this.leftOut = new SvelteSet(leftOut)
    this.secretNames = new SvelteMap(secretNames)
  }

  /** Opens the review. What was decided in an earlier one about a name still holds. */
  review(): void {
    this.rev = null
    this.isReviewed = true
  }

  toJSON(): KeptImport {
    const { text, from, isReviewed, rev, format, mode, leftOut, secretNames } = this
    return { text, from, isReviewed, rev, format, mode, leftOut: [...leftOut], secretNames: [...secretNames] }
  }
}
