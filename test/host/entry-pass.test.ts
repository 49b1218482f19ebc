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

test('tokens, secrets and cookies are 192 bits of the system’s randomness, and no two are the same', () => {
  const drawn = Array.from({ length: 1000 }, () => createEntryPass(1)).flatMap((pass) => [pass.token(), pass.secret, pass.cookie.value])
  for (const text of drawn) expect(text).toMatch(/^[\w-]{32}$/)
  expect(new Set(drawn).size).toBe(3000)
  // Every bit of them varies: each is 1 in about half.
  const bits = Array.from({ length: 192 }, () => 0)
  for (const text of drawn)
    for (const [at, byte] of Buffer.from(text, 'base64url').entries())
      for (let bit = 0; bit < 8; bit++) bits[at * 8 + bit] = (bits[at * 8 + bit] ?? 0) + ((byte >> bit) & 1)
  expect(Math.min(...bits)).toBeGreaterThan(1200)
  expect(Math.max(...bits)).toBeLessThan(1800)
})

test('a proof is of one text under one secret', () => {
  const [pass, other] = [createEntryPass(1), createEntryPass(1)]
  expect(pass.isProof('a', pass.prove('a'))).toBe(true)
  for (const proof of [pass.prove('b'), other.prove('a'), '', pass.secret]) expect(pass.isProof('a', proof)).toBe(false)
})

test('a cookie is known by its whole value, and named after the port', () => {
  const [pass, other] = [createEntryPass(1), createEntryPass(2)]
  const { name, value } = pass.cookie
  expect(pass.knowsCookie(value)).toBe(true)
  for (const wrong of [undefined, '', value.slice(0, -1), `${value}A`, other.cookie.value]) expect(pass.knowsCookie(wrong)).toBe(false)
  expect([name, other.cookie.name]).toEqual(['holdfast-1', 'holdfast-2'])
})
