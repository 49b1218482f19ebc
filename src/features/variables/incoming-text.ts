import { fileText } from '../../domain/file-text.ts'
import { importSizeProblem } from '../../domain/import-limit.ts'
import { pastedLine } from '../../domain/pasted-line.ts'
import { access } from '../../lib/access.svelte.ts'
import { isCovered } from '../../lib/is-covered.ts'
import { isTypingIn } from '../../lib/is-typing-in.ts'
import { pastedText } from '../../lib/pasted-text.ts'

interface Table {
  /** Opens the import. `from`: the name of the file. */
  openImport: (text: string, from: string | null) => void
  /** Puts a single line into the active value; false when there is none. */
  pasteValue: (text: string) => boolean
  complain: (message: string) => void
}

/** Takes texts that are pasted on the table or dropped on it as a file: a list of variables opens the import. */
export class IncomingText {
  readonly #table: Table

  constructor(table: Table) {
    this.#table = table
  }

  readonly startImport = (text: string, from: string | null = null): void => {
    if (!access.mayBegin('import.apply')) return
    const problem = importSizeProblem(new Blob([text]).size)
    if (problem !== null) this.#table.complain(problem)
    else this.#table.openImport(text, from)
  }

  async takeFile(file: File | undefined): Promise<void> {
    if (file === undefined) return
    const read = await fileText(file)
    if (read.ok) this.startImport(read.text, file.name)
    else this.#table.complain(read.problem)
  }

  readonly paste = (event: ClipboardEvent): void => {
    if (event.defaultPrevented || isTypingIn(event.target) || isCovered()) return
    const text = pastedText(event)
    if (pastedLine(text).kind !== 'text') this.startImport(text)
    else if (text === '' || !this.#table.pasteValue(text)) return
    event.preventDefault()
  }
}
