import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longestRetryAfterMs, retryAfterMs } from '../../electron/remote/retry-after.ts'
import { seed, seeded } from '../cipher/seeded.ts'

const now = Date.UTC(1994, 10, 6, 8, 49, 7)

test.each([
  ['0', 0],
  ['12', 12_000],
  [' 12 ', 12_000],
  ['3600', longestRetryAfterMs],
  ['99999999999999999999999', longestRetryAfterMs],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 30_000],
  ['Sun Nov  6 08:49:37 1994', 30_000],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ['Sun, 06 Nov 2094 08:00:00 GMT', longestRetryAfterMs],
  [null, null],
  ['', null],
  ['-1', null],
  ['1.5', null],
  ['soon', null],
  ['Sun, 99 Foo 1994', null],
  ['2026-01-01', null],
])('Retry-After %j means %j ms', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected)
})

test(seeded('whatever it says, the time is bounded'), () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.nat().map(String),
        fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      ),
      (header) => {
        const wait = retryAfterMs(header, now)
        expect(wait === null || (wait >= 0 && wait <= longestRetryAfterMs)).toBe(true)
      },
    ),
    { seed },
  )
})
