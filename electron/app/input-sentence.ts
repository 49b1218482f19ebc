import type { z } from 'zod'
import type { AppError } from '../bridge/app-error.ts'

type InvalidInput = Extract<AppError, { kind: 'invalid-input' }>

const quoted = (path: readonly PropertyKey[]): string => (path.length === 0 ? 'The input' : `"${path.map(String).join('.')}"`)

const units = (origin: string): string => (origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '')

const sentence = (issue: z.core.$ZodIssue): string => {
  const field = quoted(issue.path)
  if (issue.code === 'too_big') return `${field} is too large: at most ${issue.maximum}${units(issue.origin)}.`
  if (issue.code === 'too_small') {
    if (issue.origin === 'string' && Number(issue.minimum) === 1) return `${field} must not be empty.`
    return `${field} is too small: at least ${issue.minimum}${units(issue.origin)}.`
  }
  if (issue.code === 'unrecognized_keys')
    return `${field} has fields that do not belong there: ${issue.keys.map((key) => `"${key}"`).join(', ')}.`
  if (issue.code === 'invalid_type') return `${field} must be of type ${issue.expected}.`
  if (issue.code === 'invalid_value') return `${field} must be one of: ${issue.values.map(String).join(', ')}.`
  return `${field} is not valid.`
}

/** The first thing wrong with an argument, as one sentence that names the field and never quotes its content. */
export const inputSentence = (error: z.ZodError): InvalidInput => {
  const first = error.issues[0]
  if (first === undefined) return { kind: 'invalid-input', message: 'The input is not valid.' }
  const message = sentence(first)
  return first.path.length === 0
    ? { kind: 'invalid-input', message }
    : { kind: 'invalid-input', message, field: first.path.map(String).join('.') }
}
