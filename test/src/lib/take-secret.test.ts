import { expect, test } from 'vitest'
import { forgetSecret, takeSecret } from '../../../src/lib/take-secret.ts'

const tab = (html: string, search: string, kept: string | null) => {
  const store = new Map(kept === null ? [] : [['holdfast.secret', kept]])
  const shown: string[] = []
  const page = new DOMParser().parseFromString(html, 'text/html')
  const secret = takeSecret(
    page,
    { search, pathname: '/page/' },
    { replaceState: (_, __, url) => shown.push(String(url)) },
    { getItem: (key) => store.get(key) ?? null, setItem: (key, value) => store.set(key, value) },
  )
  return { secret, shown, kept: store.get('holdfast.secret') ?? null, left: page.documentElement.outerHTML }
}
const page = (secret: string) => `<head><meta name="holdfast-secret" content="${secret}"></head>`

test('a secret in the page is kept for this tab and leaves the page; the spent token leaves the address bar', () => {
  const { left, ...rest } = tab(page('abc-_1'), '?token=spent', null)
  expect(rest).toEqual({ secret: 'abc-_1', shown: ['/page/'], kept: 'abc-_1' })
  expect(left).not.toContain('abc-_1')
})

test('a fresh secret replaces the one of an earlier host', () => {
  expect(tab(page('new'), '?token=spent', 'old').kept).toBe('new')
})

test('a reloaded tab still knows its secret', () => {
  expect(tab('', '', 'abc')).toMatchObject({ secret: 'abc', shown: [], kept: 'abc' })
})

test.each(['', '?other=1'])('a tab opened by hand with %j has none', (search) => {
  expect(tab('', search, null).secret).toBeNull()
})

test('a secret that is forgotten is in no storage', () => {
  const store = new Map([['holdfast.secret', 'abc']])
  forgetSecret({ removeItem: (key) => store.delete(key) })
  expect([...store]).toEqual([])
})
