import { expect, test } from 'vitest'
import { takeSecret } from '../../../src/lib/take-secret.ts'

const tab = (hash: string, kept: string | null) => {
  const store = new Map(kept === null ? [] : [['holdfast.secret', kept]])
  const shown: string[] = []
  const secret = takeSecret(
    { hash, pathname: '/' },
    { replaceState: (_, __, url) => shown.push(String(url)) },
    { getItem: (key) => store.get(key) ?? null, setItem: (key, value) => store.set(key, value) },
  )
  return { secret, shown, kept: store.get('holdfast.secret') ?? null }
}

test('a secret in the fragment is kept for this tab and leaves the address bar', () => {
  expect(tab('#s=abc-_1', null)).toEqual({ secret: 'abc-_1', shown: ['/'], kept: 'abc-_1' })
})

test('a fresh secret replaces the one of an earlier host', () => {
  expect(tab('#s=new', 'old').kept).toBe('new')
})

test('a reloaded tab still knows its secret', () => {
  expect(tab('', 'abc')).toEqual({ secret: 'abc', shown: [], kept: 'abc' })
})

test.each(['', '#', '#s=', '#other=1'])('a tab opened by hand with %j has none', (hash) => {
  expect(tab(hash, null).secret).toBeNull()
})
