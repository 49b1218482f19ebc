import type { ReferenceFlag } from '../../electron/bridge/rows.ts'

const words: { readonly [K in ReferenceFlag['kinds'][number]]: string } = {
  missing: 'refers to a variable that isn’t defined',
  circular: 'refers back to itself',
  unreadable: 'refers to a value that can’t be read or is Unverified',
  'too-large': 'is too large when resolved',
}

/** The problems of the references of a value, as one sentence. */
export const referenceWords = (kinds: ReferenceFlag['kinds']): string => `This value ${kinds.map((kind) => words[kind]).join(', and ')}.`
