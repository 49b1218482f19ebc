import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textOf } from '../../electron/remote/check-segment.ts'
import { buildUrl, meansExactly } from '../../electron/remote/build-url.ts'
import { seed, seeded } from '../cipher/seeded.ts'

describe('a path', () => {
  test.each([
    ['https://a.example', ['projects', 'shop'], 'https://a.example/projects/shop'],
    ['https://a.example/api', ['projects', 'shop'], 'https://a.example/api/projects/shop'],
    ['https://a.example', ['variables', 'ODD.name-1'], 'https://a.example/variables/ODD.name-1'],
    ['https://a.example', ['variables', '...'], 'https://a.example/variables/...'],
    ['https://a.example', ['variables', 'a b?c#d%41&e=f'], 'https://a.example/variables/a%20b%3Fc%23d%2541%26e%3Df'],
    ['https://a.example', ['variables', "!'()*~"], "https://a.example/variables/!'()*~"],
    ['https://a.example', ['variables', 'ключ 🔑'], 'https://a.example/variables/%D0%BA%D0%BB%D1%8E%D1%87%20%F0%9F%94%91'],
  ])('under %s of %j is %s', (base, segments, expected) => {
    expect(buildUrl(base, segments)).toEqual({ ok: true, value: expected })
  })

  test.each([
    ['', 'empty'],
    ['.', '"\\."'],
    ['..', '"\\."'],
    ['%2e', '"\\."'],
    ['%2E.', '"\\."'],
    ['a\\..\\b', '"\\."'],
    ['a/b', '"/"'],
    ['/', '"/"'],
    ['../environments', '"\\."'],
    ['a\nb', 'control'],
    ['\u0000', 'control'],
    ['\u0085', 'control'],
    ['\ud800', 'well-formed'],
  ])('with the name %j is unsafe, and says why', (name, words) => {
    expect(buildUrl('https://a.example', ['variables', name])).toMatchObject({
      ok: false,
      error: { kind: 'unsafe', outcome: 'none', message: expect.stringMatching(words) },
    })
  })

  test('takes any id that a service made, encoded', () => {
    const id = 'mem/7 ?%#'
    expect(buildUrl('https://a.example', ['members', { id }])).toEqual({ ok: true, value: 'https://a.example/members/mem%2F7%20%3F%25%23' })
    for (const bad of ['..', 'a/..', '../a', 'a/%2e%2e/b', '', 'a\nb'])
      expect(buildUrl('https://a.example', ['members', { id: bad }]).ok).toBe(false)
  })

  test(seeded('parses back to the segments meant, or is refused'), () => {
    const odd = fc.constantFrom(
      '.',
      '..',
      '%2e%2e',
      '%',
      '/',
      '\\',
      '?',
      '#',
      ';',
      ':',
      '@',
      '\t',
      '\n',
      ' ',
      '+',
      '\u202e',
      'é',
      'e\u0301',
      '\ud800',
    )
    const name = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(odd, { maxLength: 4 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(
        fc.constantFrom('https://a.example', 'https://a.example/api/v%201'),
        fc.array(
          fc.oneof(
            name,
            name.map((id) => ({ id })),
          ),
          { minLength: 1, maxLength: 4 },
        ),
        (base, segments) => {
          const url = buildUrl(base, segments)
          if (!url.ok) {
            expect(url.error.kind).toBe('unsafe')
            return
          }
          const rest = new URL(url.value).pathname.slice(new URL(base).pathname.replace(/\/$/, '').length)
          expect(rest.split('/').slice(1).map(decodeURIComponent)).toEqual(segments.map(textOf))
        },
      ),
      { seed, numRuns: 2000 },
    )
  })

  test('carries a query that comes back as it was', () => {
    const url = buildUrl('https://a.example', ['changes'], { cursor: 'a&b=c d/ü+' })
    expect(url.ok && new URL(url.value).searchParams.get('cursor')).toBe('a&b=c d/ü+')
  })
})

describe('a parsed URL', () => {
  const base = new URL('https://a.example/api')
  test.each<[string, string[], boolean]>([
    ['https://a.example/api/projects/shop', ['projects', 'shop'], true],
    ['https://a.example/api/projects/..', ['projects', '..'], false],
    ['https://a.example/api/projects/%2e%2e', ['projects', '..'], false],
    ['https://a.example/api/projects/a/../b', ['projects', 'a', '..', 'b'], false],
    ['https://a.example/api/projects/a/b', ['projects', 'a/b'], false],
    ['https://a.example/api/projects/a?b', ['projects', 'a?b'], false],
    ['https://a.example/api/projects/a#b', ['projects', 'a#b'], false],
    ['https://a.example/api/projects/a#', ['projects', 'a'], true],
    ['https://a.example/api/projects/a\\b', ['projects', 'a\\b'], false],
    ['https://a.example/api/projects/a\nb', ['projects', 'a\nb'], false],
    ['https://a.example/projects', ['projects'], false],
    ['https://a.example/apis/projects', ['projects'], false],
    ['https://b.example/api/projects', ['projects'], false],
    ['http://a.example/api/projects', ['projects'], false],
    ['https://a.example:8443/api/projects', ['projects'], false],
  ])('%s for %j: %s', (text, segments, expected) => {
    expect(meansExactly(new URL(text), base, segments)).toBe(expected)
  })
})
