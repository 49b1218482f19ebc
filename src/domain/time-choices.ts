import { counted } from './counted.ts'

export interface TimeChoice {
  value: number
  name: string
}

const words = (value: number, unit: 'second' | 'minute'): string => {
  if (value === 0) return 'Never'
  if (value % 60 !== 0 || value === 60) return value === 60 ? `1 ${unit === 'second' ? 'minute' : 'hour'}` : counted(value, unit)
  return counted(value / 60, unit === 'second' ? 'minute' : 'hour')
}

/** Spans of time to choose from, in words; `current` is among them whatever it is. 0 means never. */
export const timeChoices = (usual: readonly number[], current: number, unit: 'second' | 'minute'): TimeChoice[] =>
  [...new Set([...usual, current])]
    .toSorted((a, b) => (a === 0 ? Number.POSITIVE_INFINITY : a) - (b === 0 ? Number.POSITIVE_INFINITY : b))
    .map((value) => ({ value, name: words(value, unit) }))
