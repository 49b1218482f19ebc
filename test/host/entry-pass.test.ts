import { expect, test } from 'vitest'
import { createEntryPass, tokenMs } from '../../electron/host/entry-pass.ts'

test('a token works once, and for ten minutes', () => {
  let now = 0
  const pass = createEntryPass(1, () => now)
  const first = pass.token()
  now = tokenMs - 1
  expect(pass.token()).toBe(first)
  expect([pass.spend(first), pass.spend(first)]).toEqual([true, false])

  const second = pass.token()
  now += tokenMs
  expect(pass.spend(second)).toBe(false)
  expect(pass.token()).not.toBe(second)
  expect(pass.spend(pass.token())).toBe(true)
  expect(tokenMs).toBe(600_000)
})

test('a proof is of one text under one secret', () => {
  const [pass, other] = [createEntryPass(1), createEntryPass(1)]
  expect(pass.isProof('a', pass.prove('a'))).toBe(true)
  for (const proof of [pass.prove('b'), other.prove('a'), '', pass.secret]) expect(pass.isProof('a', proof)).toBe(false)
})
