import { etagField } from './etag.ts'
import { optionalDate, optionalText } from './fields.ts'

/** What records carry about their last change, where the service says so. */
export const tracked = { createdAt: optionalDate, updatedAt: optionalDate, updatedBy: optionalText, etag: etagField }
