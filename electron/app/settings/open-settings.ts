import { readFile, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { diskError } from './disk-error.ts'
import type { Settings, SettingsData } from './settings.ts'
import { writeDurably } from '../../keychain/write-durably.ts'

/** Loose, so that keys of a newer Holdfast stay in the file. A field of the wrong type gets its default. */
const schema = z.looseObject({
  keyStore: z.enum(['os', 'vault']).nullable().catch(null).default(null),
  hasPin: z.boolean().catch(false).default(false),
  pinEntry: z.string().catch('lock-pin').default('lock-pin'),
  asksSystem: z.boolean().nullable().catch(null).default(null),
  isLocked: z.boolean().catch(false).default(false),
  place: z.object({ workspaceId: z.string(), environmentId: z.string().nullable() }).nullable().catch(null).default(null),
  theme: z.enum(['system', 'light', 'dark']).catch('system').default('system'),
  hideFromCapture: z.boolean().catch(false).default(false),
  maskAll: z.boolean().catch(false).default(false),
  lockAfterMinutes: z.int().min(0).max(1440).catch(15).default(15),
  clipboardClearSeconds: z.int().min(0).max(3600).catch(30).default(30),
  syncIntervalSeconds: z.int().min(5).max(3600).catch(15).default(15),
  tourSeen: z.boolean().catch(false).default(false),
})

type Stored = z.infer<typeof schema>

const initial: Stored = schema.parse({})

/** Reads the text of a `settings.json`; null: it is damaged. */
export const parseSettings = (text: string): Stored | null => {
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Returns the text of the file; null: it does not exist yet. */
const read = async (file: string): Promise<string | null> => {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/**
 * Opens `<folder>/settings.json`. If the file is damaged, renames it to `settings.json.damaged`, and Holdfast starts with defaults. Errors:
 * `folder-read-only`, `disk-full`.
 */
export const openSettings = async (folder: string): Promise<Result<Settings, AppError>> => {
  const file = join(folder, 'settings.json')
  let stored: Stored = { ...initial }
  try {
    const text = await read(file)
    const parsed = text === null ? { ...initial } : parseSettings(text)
    if (parsed === null) await rename(file, `${file}.damaged`)
    else stored = parsed
  } catch (error) {
    const known = diskError(error, dirname(file))
    if (known === null) throw error
    return err(known)
  }

  const listeners = new Set<() => void>()
  let last: Promise<unknown> = Promise.resolve()
  const write = async (patch: Partial<SettingsData>): Promise<Result<null>> => {
    const next = { ...stored, ...patch }
    try {
      await writeDurably(file, `${JSON.stringify(next, null, 2)}\n`)
    } catch (error) {
      const known = diskError(error, folder)
      if (known === null) throw error
      return err(known)
    }
    stored = next
    for (const listener of listeners) listener()
    return ok(null)
  }
  return ok({
    get: () => schema.strip().parse(stored),
    update: (patch) => {
      const done = last.then(() => write(patch))
      last = done.catch(() => undefined)
      return done
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  })
}
