import { describe, expect, test } from 'vitest'
import { freeName } from '../../../electron/app/bulk/free-name.ts'

describe('a name for a copy', () => {
  test.each([
    { of: 'a free one', name: 'PORT', taken: [], free: 'PORT_COPY' },
    { of: 'one copied before', name: 'PORT', taken: ['PORT_COPY'], free: 'PORT_COPY_2' },
    { of: 'one copied often', name: 'PORT', taken: ['PORT_COPY', 'PORT_COPY_2', 'PORT_COPY_3'], free: 'PORT_COPY_4' },
    { of: 'the longest', name: 'N'.repeat(255), taken: [], free: `${'N'.repeat(250)}_COPY` },
    { of: 'the longest of characters beyond 16 bits', name: '🔑'.repeat(255), taken: [], free: `${'🔑'.repeat(250)}_COPY` },
  ])('$of', ({ name, taken, free }) => {
    expect(freeName(name, (each) => taken.includes(each))).toBe(free)
  })
})
