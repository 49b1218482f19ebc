import { expect, test } from 'vitest'
import type { Application } from '../../electron/bridge/bridge.ts'
import { ok } from '../../electron/bridge/result.ts'
import { answerCall, callSchema } from '../../electron/shell/answer-call.ts'

const application: Application = {
  query: async (name, args) => {
    if (name === 'throws') throw new Error('value hunter2 is broken')
    return ok({ asked: name, args })
  },
  command: async (name) => ok({ told: name }),
  onPush: () => () => {},
  openPage: () => () => {},
  wake: () => {},
  lock: async () => {},
  close: async () => {},
}

test('queries and commands reach the application', async () => {
  expect(await answerCall(application, { kind: 'query', name: 'a', args: 1 }, () => {})).toEqual(ok({ asked: 'a', args: 1 }))
  expect(await answerCall(application, { kind: 'command', name: 'b', args: {} }, () => {})).toEqual(ok({ told: 'b' }))
})

test('a bug is told with a reference that finds it in the log, without its words', async () => {
  const lines: Record<string, unknown>[] = []
  const answer = await answerCall(application, { kind: 'query', name: 'throws', args: {} }, (_level, _message, data) => lines.push(data))
  expect(answer).toMatchObject({ ok: false, error: { kind: 'bug', reference: lines[0]?.['reference'] } })
  expect(JSON.stringify(answer)).not.toContain('hunter2')
})

test.each([
  { kind: 'onPush', name: 'a', args: {} },
  { kind: 'query', name: 1, args: {} },
  { kind: 'query', name: 'a'.repeat(65), args: {} },
  { kind: 'query', name: 'a', args: {}, more: 1 },
  null,
])('%j is no call', (message) => {
  expect(callSchema.safeParse(message).success).toBe(false)
})
