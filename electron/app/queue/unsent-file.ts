import { z } from 'zod'
import { takeTurns } from '../../mirror/reads/take-turns.ts'

const fields = z.object({
  name: z.string().max(255).optional(),
  slug: z.string().max(255).optional(),
  /** Sealed: `v1:`. */
  value: z.string().max(6_000_000).optional(),
  type: z.enum(['string', 'number', 'boolean']).optional(),
  isSecret: z.boolean().optional(),
})

const place = z.object({ name: z.string().min(1).max(255), slug: z.string().min(1).max(255) })

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
  key: z.string().min(1).max(255),
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
const unchecked = z.object({ ...rest, edits: z.array(z.unknown()).max(200_000) })

/** The file of unsent edits. `holdfast` identifies the format; values are sealed under the workspace key. */
export interface UnsentFile extends z.infer<z.ZodObject<typeof rest>> {
  edits: UnsentEdit[]
}

/** Writes a file as JSON with one edit on each line, and lets other work run in between. */
export async function writeUnsentFile({ edits, ...head }: UnsentFile): Promise<string> {
  const turn = takeTurns()
  const lines: string[] = []
  for (const edit of edits) {
    lines.push(JSON.stringify(edit))
    await turn()
  }
  return `${JSON.stringify(head).slice(0, -1)},"edits":[\n${lines.join(',\n')}\n]}\n`
}

/** Reads a file, and lets other work run while its edits are checked; null: not such a file. */
export async function readUnsentFile(text: string): Promise<UnsentFile | null> {
  const file = unchecked.safeParse(parsed(text))
  if (!file.success) return null
  const turn = takeTurns()
  const edits: UnsentEdit[] = []
  for (const each of file.data.edits) {
    const edit = unsentEdit.safeParse(each)
    if (!edit.success) return null
    edits.push(edit.data)
    await turn()
  }
  return { ...file.data, edits }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type UnsentEdit = z.infer<typeof unsentEdit>
export type UnsentFields = z.infer<typeof fields>
