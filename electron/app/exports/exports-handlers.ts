import { dirname, join } from 'node:path'
import { importEntryLimit, importLimitBytes } from '../../bridge/contract.ts'
import { err, ok } from '../../bridge/result.ts'
import type { AppContext } from '../app-context.ts'
import type { Handlers } from '../handlers.ts'
import { writeDurably } from '../../keychain/write-durably.ts'
import { inNameOrder } from '../../mirror/name-key.ts'
import { inUnlocked } from '../workspaces/in-session.ts'
import { exportInSlices } from './export-in-slices.ts'
import { readEnvironment } from './read-environment.ts'

type ExportsHandlers = Pick<Handlers, 'export.text' | 'text.read' | 'file.save'>

/** Exports an environment as text: to save or copy in one of several formats, or to edit as .env. */
export const exportsHandlers = (context: AppContext): ExportsHandlers => ({
  'export.text': ({ workspaceId, environmentId, format, reveal, resolve, names }) =>
    context.jobs.run(undefined, ({ signal }) =>
      inUnlocked(context, workspaceId, async ({ mirror }, cipher) => {
        const read = await readEnvironment(mirror, cipher, environmentId, { resolve, names, signal })
        if (!read.ok) return read
        const { entries, title } = read.value
        const { maskAll } = context.settings.get()
        const shown = maskAll ? entries.map((entry) => ({ ...entry, isPlain: false })) : entries
        const exported = await exportInSlices(format, shown, title, !reveal, signal)
        if (!exported.ok) return exported
        const { text, refused, notes, ending } = exported.value
        return ok({ text, fileName: `${title}${ending}`, refused: inNameOrder([...read.value.refused, ...refused]), notes })
      }),
    ),
  'file.save': ({ name, text }) =>
    context.jobs.run(undefined, async ({ signal }) => {
      // The system's dialog stays open when Holdfast is locked. The text must not wait for it in memory, nor be written then.
      const file = await beforeAbort(signal, context.deps.askWhereToSave?.(name))
      if (file === undefined) return err({ kind: 'unsupported', message: 'This browser saves the file itself.' })
      if (file === null) return ok({ saved: false })
      try {
        await writeDurably(file, text, join(dirname(file), `.${context.newId()}.part`))
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
        return err({ kind: 'not-found', message: `The file couldn’t be written (${code}). Choose another folder, then try again.` })
      }
      return ok({ saved: true })
    }),
  'text.read': ({ workspaceId, environmentId }) =>
    context.jobs.run(undefined, ({ signal }) =>
      inUnlocked(context, workspaceId, async ({ mirror }, cipher) => {
        const read = await readEnvironment(mirror, cipher, environmentId, { resolve: false, signal })
        if (!read.ok) return read
        const exported = await exportInSlices('env', read.value.entries, read.value.title, false, signal)
        if (!exported.ok) return exported
        const { text, refused } = exported.value
        if (Buffer.byteLength(text, 'utf8') > importLimitBytes || read.value.entries.length > importEntryLimit) {
          const message =
            'This environment is too large to edit as one text. Edit its variables in the table, or export and import a part of them.'
          return err({ kind: 'too-large', message })
        }
        return ok({ text, refused: inNameOrder([...read.value.refused, ...refused]), rev: read.value.rev })
      }),
    ),
})

/** Waits for an answer. Null: `signal` aborts before it comes. */
const beforeAbort = <T>(signal: AbortSignal, answer: Promise<T> | undefined): Promise<T | null | undefined> => {
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener('abort', () => resolve(null), { once: true })
  })
  return Promise.race([answer, aborted])
}
