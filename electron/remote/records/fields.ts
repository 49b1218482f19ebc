import { z } from 'zod'

/** Building stones of the readers: extra fields are ignored, an optional field of a wrong type is as good as missing. */

export const idField = z.string().min(1)

export const optionalText = z.string().optional().catch(undefined)

/** ISO 8601; anything that is no date would break whoever formats it. */
export const dateField = z.string().refine((text) => !Number.isNaN(Date.parse(text)))

export const optionalDate = dateField.optional().catch(undefined)
