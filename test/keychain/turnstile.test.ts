import { expect, test } from 'vitest'
import { createTurnstile } from '../../electron/keychain/turnstile.ts'

const long = 60_000

test('work passes one at a time, in order', async () => {
  const { pass } = createTurnstile()
  const seen: string[] = []
  const work = (name: string) => async () => {
    seen.push(`${name} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(`${name} ends`)
    return name
  }
  const passed = await Promise.all([pass(work('a'), long), pass(work('b'), long)])
  expect(passed).toEqual([
    { late: false, value: 'a' },
    { late: false, value: 'b' },
  ])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
})

test('work that never ends is late, and so is all behind it, which never begins', async () => {
  const { pass } = createTurnstile()
  let begun = false
  const stuck = pass(() => new Promise(() => {}), 5)
  const behind = pass(async () => (begun = true), 10)
  expect(await stuck).toEqual({ late: true })
  expect(await behind).toEqual({ late: true })
  expect(begun).toBe(false)
})

test('work that ends late lets the next one through', async () => {
  const { pass } = createTurnstile()
  let end: ((value: string) => void) | undefined
  expect(await pass(() => new Promise<string>((resolve) => (end = resolve)), 1)).toEqual({ late: true })
  const next = pass(async () => 'next', long)
  end?.('late')
  expect(await next).toEqual({ late: false, value: 'next' })
})

test('work that fails rejects, and the next one passes', async () => {
  const { pass } = createTurnstile()
  await expect(pass(() => Promise.reject(new Error('no')), long)).rejects.toThrow('no')
  expect(await pass(async () => 1, long)).toEqual({ late: false, value: 1 })
})

test('all calls so far have ended once work that is late has, and all behind it', async () => {
  const { pass, ended } = createTurnstile()
  const slow = Promise.withResolvers<null>()
  expect(await pass(() => slow.promise, 1)).toEqual({ late: true })
  const seen: string[] = []
  void pass(async () => seen.push('next'), long)
  const allEnded = ended().then(() => seen.push('ended'))
  seen.push('ends')
  slow.resolve(null)
  await allEnded
  expect(seen).toEqual(['ends', 'next', 'ended'])
})
