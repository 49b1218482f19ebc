import { z } from 'zod'
import { bulkLimit, emailLimit, idempotencyKeyLimit, pageDefault, pageLimit } from './limits.ts'
import { displayNameProblem, iconProblem, labelProblem, noteProblem, slugProblem, variableNameProblem } from './names.ts'
import { roleIds } from './roles.ts'
import { sealedValueProblem } from './sealed-value.ts'

/** Schemas of everything a request may carry. Any other field is refused. */

const ruled = (problem: (text: string) => string | null) =>
  z.string().check((context) => {
    const message = problem(context.value)
    if (message !== null) context.issues.push({ code: 'custom', message, input: context.value })
  })

const slug = ruled(slugProblem).meta({ description: 'Lowercase letters, digits and "-", up to 63, starting with a letter or digit.' })
const displayName = ruled(displayNameProblem).meta({ description: 'Any text without control characters, 1 to 255 characters.' })
const variableName = ruled(variableNameProblem).meta({ description: 'Any text without "/" and control characters, 1 to 255 characters.' })
const sealedValue = ruled(sealedValueProblem).meta({ description: '`v1:` and base64 of IV, AES-256-GCM ciphertext and tag; up to 1 MiB.' })
const icon = ruled(iconProblem)

export const variableType = z.enum(['string', 'number', 'boolean'])

/** An ETag as the header or a record spells it, quotes included. */
export const etag = z.string().max(64)

// A path names something that exists or does not: a text that breaks the rules is simply not found.
export const segment = z
  .string()
  .max(4096)
  .refine((text) => !/\p{Cc}/u.test(text))

export const noParams = z.object({})
export const projectParams = z.object({ slug: segment })
export const environmentParams = z.object({ slug: segment, environmentSlug: segment })
export const variableParams = z.object({ slug: segment, environmentSlug: segment, name: segment })
export const idParams = z.object({ id: segment })

export const noQuery = z.object({})

/** Digits alone: `Number` also takes `0x10`, `1e2`, ` 5` and `5.0` for whole numbers. */
const pageSize = z.preprocess(
  (text) => (typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : text),
  z.int().min(1).max(pageLimit),
)
export const pageQuery = z.object({
  cursor: z.string().max(512).optional(),
  limit: pageSize.default(pageDefault),
})

/** A version comes whole unless one of these asks for a page of its variables. */
export const versionQuery = z.object({
  cursor: z.string().max(512).optional(),
  limit: pageSize.optional(),
})

/** For operations without a body: none, null or an empty object. */
export const noBody = z.strictObject({}).nullish()

export const workspacePatch = z.strictObject({ name: displayName.optional(), slug: slug.optional(), icon: icon.optional() })

export const projectCreate = z.strictObject({ name: displayName, slug, icon: icon.optional() })
export const projectPatch = z.strictObject({ name: displayName.optional(), slug: slug.optional(), icon: icon.optional() })

export const environmentCreate = z.strictObject({ name: displayName, slug })
export const environmentPatch = z.strictObject({ name: displayName.optional(), slug: slug.optional() })

export const variableCreate = z.strictObject({
  name: variableName,
  value: sealedValue,
  type: variableType.optional(),
  isSecret: z.boolean().optional(),
})
export const variablePatch = z.strictObject({
  name: variableName.optional(),
  value: sealedValue.optional(),
  type: variableType.optional(),
  isSecret: z.boolean().optional(),
})
// A name that nothing can have is not refused here: it is reported in `notFound`.
export const bulkDelete = z.strictObject({ names: z.array(z.string()).min(1).max(bulkLimit) })

export const versionCreate = z
  .strictObject({ label: ruled(labelProblem).optional(), note: ruled(noteProblem).optional() })
  .nullish()
  .transform((body) => body ?? {})

/** The slug to restore under, when its own is now taken. */
export const restore = z
  .strictObject({ slug: slug.optional() })
  .nullish()
  .transform((body) => body ?? {})

const roleId = z.enum(roleIds)
// The length ends the check, because the pattern takes half a second of processor on a text of four megabytes.
const email = z.string().max(emailLimit, { abort: true }).check(z.email())
export const memberInvite = z.strictObject({ email, roleId })
export const memberPatch = z.strictObject({ roleId })

/** Idempotency-Key: printable ASCII. */
export const idempotencyKey = z
  .string()
  .regex(/^[\x21-\x7e]+$/)
  .max(idempotencyKeyLimit)
