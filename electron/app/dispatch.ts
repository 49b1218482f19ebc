import type { z } from 'zod'
import type { AppError } from '../bridge/app-error.ts'
import { commandArgs, queryArgs } from '../bridge/contract.ts'
import { err, type Result } from '../bridge/result.ts'
import type { Handlers } from './handlers.ts'
import { SavedInPart } from './edits/saved-in-part.ts'
import { diskError } from './settings/disk-error.ts'
import { traceOf } from './trace-of.ts'

type InvalidInput = Extract<AppError, { kind: 'invalid-input' }>

const quoted = (path: readonly PropertyKey[]): string => (path.length === 0 ? 'The input' : `"${path.map(String).join('.')}"`)

const units = (origin: string): string => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '')

const sentence = (issue: z.core.$ZodIssue): string => {
  // A rule of the contract that says its own sentence, for what a user can do in the page.
  if (issue.code === 'custom') return issue.message
  const field = quoted(issue.path)
  if (issue.code === 'too_big') return `${field} is too large: at most ${issue.maximum}${units(issue.origin)}.`
  if (issue.code === 'too_small') {
    if (issue.origin === 'string' && Number(issue.minimum) === 1) return `${field} must not be empty.`
    return `${field} is too small: at least ${issue.minimum}${units(issue.origin)}.`
  }
  if (issue.code === 'unrecognized_keys') return `${field} has unknown fields: ${issue.keys.map((key) => `"${key}"`).join(', ')}.`
  if (issue.code === 'invalid_type') return `${field} must be of type ${issue.expected}.`
  if (issue.code === 'invalid_value') return `${field} must be one of: ${issue.values.map(String).join(', ')}.`
  return `${field} is not valid.`
}

/** Returns the first problem with the arguments, as one sentence that names the field and never quotes its content. */
const inputSentence = (error: z.ZodError): InvalidInput => {
  const first = error.issues[0]
  if (first === undefined) return { kind: 'invalid-input', message: 'The input is not valid.' }
  const message = sentence(first)
  return first.path.length === 0
    ? { kind: 'invalid-input', message }
    : { kind: 'invalid-input', message, field: first.path.map(String).join('.') }
}

/** Returns the workspace that the arguments name, or null. */
const workspaceOf = (args: unknown): string | null =>
  typeof args === 'object' && args !== null && 'workspaceId' in args && typeof args.workspaceId === 'string' ? args.workspaceId : null

export interface DispatchDeps {
  handlers: Handlers
  /** Why a command may not be run in a workspace; null: it may. */
  refusalOf?(command: string, workspaceId: string, args: unknown): Promise<AppError | null>
  log(level: 'error', message: string, data: Record<string, unknown>): void
  /** A short random text that the user can quote and the log can be searched for. */
  newReference(): string
  /** Named in the error when the disk can't be written. */
  dataDir: string
  /** Called when SQLite finds this workspace's database damaged. */
  onDamaged?(workspaceId: string): void
}

export interface Dispatch {
  query(name: string, args: unknown): Promise<Result<unknown>>
  command(name: string, args: unknown): Promise<Result<unknown>>
}

/**
 * Runs queries and commands from outside. Accepts only names of the contract, and parses the arguments before a handler sees them. Never
 * rejects: logs an error that a handler throws under a reference, and answers `bug`. Full disks and read-only folders have their own
 * errors.
 */
export const createDispatch = (deps: DispatchDeps): Dispatch => {
  const unexpected = (name: string, error: unknown): AppError => {
    const known = diskError(error, deps.dataDir)
    if (known !== null) return known
    const reference = deps.newReference()
    const saved = error instanceof SavedInPart ? error : null
    deps.log('error', 'Unexpected failure', { reference, call: name, ...traceOf(saved?.cause ?? error) })
    const outcome = saved === null ? '. Nothing you typed was lost.' : `, so ${saved.message}.`
    return { kind: 'bug', message: `Something went wrong (reference ${reference})${outcome} Try again.`, reference }
  }

  const tellDamaged = (args: unknown): void => {
    const workspaceId = workspaceOf(args)
    if (workspaceId !== null) deps.onDamaged?.(workspaceId)
  }

  const run = async (
    schemas: Readonly<Record<string, z.ZodType>>,
    what: 'query' | 'command',
    name: string,
    args: unknown,
  ): Promise<Result<unknown>> => {
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
    if (schema === undefined) return err({ kind: 'invalid-input', message: `Unknown ${what}.`, field: 'name' })
    try {
      const parsed = schema.safeParse(args)
      if (!parsed.success) return err(inputSentence(parsed.error))
      const workspaceId = what === 'command' ? workspaceOf(parsed.data) : null
      const refusal = workspaceId === null ? null : await deps.refusalOf?.(name, workspaceId, parsed.data)
      if (refusal != null) return err(refusal)
      // The cast holds because the schema of this name parsed the arguments.
      const handler = deps.handlers[name as keyof Handlers] as (args: unknown) => Promise<Result<unknown>>
      return await handler(parsed.data)
    } catch (error) {
      const failure = unexpected(name, error)
      if (failure.kind === 'database-damaged') tellDamaged(args)
      return err(failure)
    }
  }

  return {
    query: (name, args) => run(queryArgs, 'query', name, args),
    command: (name, args) => run(commandArgs, 'command', name, args),
  }
}
