import { expect, test } from 'vitest'
import { remoteAppError } from '../../../electron/app/workspaces/remote-app-error.ts'
import { timedOut } from '../../../electron/remote/network-error.ts'
import { statusError } from '../../../electron/remote/status-error.ts'
import { failureOf } from '../../../electron/sync/adapters/shared/failures.ts'

const answered = (status: number, retryAfterMs: number | null = null) =>
  statusError({ status, words: null, retryAfterMs, host: 'h', isFeed: false, isPruned: false })

test.each([
  ['that finds the service busy', answered(503)],
  ['that the service limits', answered(429)],
  ['that fails on the service', answered(500)],
  ['that takes too long', timedOut('h')],
])('a request %s is sent again by sync alone: a user is told to try again', (_, error) => {
  expect(failureOf(error).next).toContain('Holdfast will')
  expect(remoteAppError(error).message).toMatch(/^[^.]+\. Try again in a moment\.$/)
})

test.each([
  [429, 1_000, 'in a moment'],
  [429, 30_000, 'in a minute'],
  [429, 290_500, 'in 5 minutes'],
  [503, 3_600_000, 'in 60 minutes'],
  [503, 0, 'in a moment'],
])('a service that answers %i and names a time is not asked again before it (%i ms)', (status, retryAfterMs, when) => {
  expect(remoteAppError(answered(status, retryAfterMs)).message).toBe(`h is busy. Try again ${when}.`)
})
