import { z } from 'zod'
import { takeTurns } from '../../mirror/reads/take-turns.ts'

// No limits of length or number: every file that was written can be read. Names and slugs may come from a service with longer ones.
const fields = z.object({
  name: z.string().optional(),
  slug: z.string().optional(),
  /** Sealed: `v1:`. */
  value: z.string().optional(),
  type: z.enum(['string', 'number', 'boolean']).optional(),
  isSecret: z.boolean().optional(),
})

const place = z.object({
  name: z.string().min(1),
  slug: z.string().min(1),
  /** The slug that later edits give it. It has this one already if the file is applied again. */
  later: z.string().min(1).optional(),
})

/** One unsent edit, identified by names and slugs, because local ids mean nothing in another database. */
const unsentEdit = z.object({
  kind: z.enum(['create', 'update', 'delete']),
  subject: z.enum(['project', 'environment', 'variable']),
  /** Its project; missing for a project. */
  project: place.optional(),
  environment: place.optional(),
  /** For a move: the former environment. */
  from: z.object({ project: place, environment: place }).optional(),
  /** The name of a variable, the slug of the others, as it was before the edit. */
  key: z.string().min(1),
  /** The fields that the edit sets. */
  set: fields,
  /** The whole row after the edit, to create the row if it is missing. */
  whole: fields,
  madeAt: z.string(),
})

const rest = {
  holdfast: z.literal('unsent-edits'),
  version: z.literal(1),
  workspace: z.object({ name: z.string(), id: z.string() }),
  /** Operations, such as an invitation, as sentences. They can't be reapplied from a file; the user has to make them again. */
  requests: z.array(z.string()),
}

/** A file whose edits are not checked yet. */
const unchecked = z.object({ ...rest, edits: z.array(z.unknown()) })

/** The file of unsent edits. `holdfast` identifies the format; values are sealed under the workspace key. */
export interface UnsentFile extends z.infer<z.ZodObject<typeof rest>> {
  edits: UnsentEdit[]
}

/** What is before, between and after the edits of a file that `writeUnsentFile` wrote. */
const [opening, between, closing] = [',"edits":[\n', ',\n', '\n]}\n']

/** Writes a file as JSON with one edit on each line, and lets other work run in between. */
export async function writeUnsentFile({ edits, ...head }: UnsentFile): Promise<string> {
  const turn = takeTurns()
  const lines: string[] = []
  for (const edit of edits) {
    lines.push(JSON.stringify(edit))
    await turn()
  }
  return `${JSON.stringify(head).slice(0, -1)}${opening}${lines.join(between)}${closing}`
}

/** Reads a file, and lets other work run in between; null: not such a file. */
export async function readUnsentFile(text: string): Promise<UnsentFile | null> {
  const turn = takeTurns()
  const file = unchecked.safeParse((await parsedByLine(text, turn)) ?? parsed(text))
  if (!file.success) return null
  const edits: UnsentEdit[] = []
  for (const each of file.data.edits) {
    const edit = unsentEdit.safeParse(each)
    if (!edit.success) return null
    edits.push(edit.data)
    await turn()
  }
  return { ...file.data, edits }
}

/** Parses a file edit by edit; undefined: it is not as `writeUnsentFile` wrote it. An editor may have formatted it in another way. */
async function parsedByLine(text: string, turn: ReturnType<typeof takeTurns>): Promise<unknown> {
  const from = text.indexOf(opening)
  if (from < 0 || !text.endsWith(closing)) return undefined
  const head = parsed(`${text.slice(0, from)}}`)
  const edits: unknown[] = []
  const end = text.length - closing.length
  for (let at = from + opening.length; at < end;) {
    const next = text.indexOf(between, at)
    const to = next < 0 || next > end ? end : next
    const edit = parsed(text.slice(at, to))
    if (edit === undefined) return undefined
    edits.push(edit)
    at = to + between.length
    await turn()
  }
  return typeof head === 'object' && head !== null ? { ...head, edits } : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type Place = z.infer<typeof place>
export type UnsentEdit = z.infer<typeof unsentEdit>
export type UnsentFields = z.infer<typeof fields>
