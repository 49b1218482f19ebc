import type { ReferenceFlag } from '../../electron/bridge/rows.ts'

const words: { readonly [K in ReferenceFlag['kinds'][number]]: string } = {
  missing: 'refers to a variable that is not there',
  circular: 'refers to itself in a circle',
  unreadable: 'refers to a value that cannot be read with this key',
  'too-large': 'refers to more than can be put together',
}

/** What is wrong with the references of a value, as one sentence. */
export const referenceWords = (kinds: ReferenceFlag['kinds']): string => `This value ${kinds.map((kind) => words[kind]).join(', and ')}.`
