import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkBaseUrl } from '../../electron/remote/check-base-url.ts'
import { seed, seeded } from '../cipher/seeded.ts'

describe('the address of a service', () => {
  test.each([
    ['https://config.example.com', 'https://config.example.com'],
    ['  https://config.example.com/  ', 'https://config.example.com'],
    ['https://config.example.com///', 'https://config.example.com'],
    ['https://config.example.com/api/v2/', 'https://config.example.com/api/v2'],
    ['HTTPS://Config.Example.COM:443/Api', 'https://config.example.com/Api'],
    ['https://config.example.com:8443', 'https://config.example.com:8443'],
    ['https://пример.рф', 'https://xn--e1afmkfd.xn--p1ai'],
    ['http://localhost:8080/', 'http://localhost:8080'],
    ['http://127.0.0.1:1234', 'http://127.0.0.1:1234'],
    ['http://127.9.8.7', 'http://127.9.8.7'],
    ['http://0x7f.1', 'http://127.0.0.1'],
    ['http://[::1]:99', 'http://[::1]:99'],
    ['config.example.com', 'https://config.example.com'],
    ['config.example.com:8443/api/', 'https://config.example.com:8443/api'],
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1:4000/api', 'http://127.0.0.1:4000/api'],
    ['[::1]:99', 'http://[::1]:99'],
    ['config', 'https://config'],
    ['localhost.example.com', 'https://localhost.example.com'],
  ])('%j is taken as %s', (text, expected) => {
    expect(checkBaseUrl(text)).toEqual({ ok: true, value: expected })
  })

  test.each([
    ['', 'empty'],
    ['   ', 'empty'],
    ['https://', 'valid web address'],
    ['https://a:99999', 'valid web address'],
    ['//config.example.com', 'valid web address'],
    ['/api', 'valid web address'],
    ['config example com', 'space'],
    ['me@config.example.com', 'user name or password'],
    ['ftp://config.example.com', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['javascript:alert(1)', 'valid web address'],
    ['https:config.example.com', 'valid web address'],
    ['https:/config.example.com', 'must begin with https://'],
    ['https://me@config.example.com', 'user name or password'],
    ['https://me:word@config.example.com', 'user name or password'],
    ['https://config.example.com\\@evil.example', 'backslash'],
    ['https://config.example.com/?', 'contains "?" or "#"'],
    ['https://config.example.com/?a=b', 'contains "?" or "#"'],
    ['https://config.example.com/#top', 'contains "?" or "#"'],
    ['https://config.exa mple.com', 'space'],
    ['https://config.example.com/a\tb', 'invisible'],
    ['https://config.example.com/a\u0000b', 'invisible'],
  ])('%j is refused with what is wrong', (text, words) => {
    const result = checkBaseUrl(text, { allowInsecure: true })
    expect(result).toMatchObject({
      ok: false,
      error: { kind: 'invalid-url', message: expect.stringMatching(words.replaceAll('?', '\\?')) },
    })
  })

  test.each([
    'http://config.example.com',
    'http://10.0.0.1',
    'http://0.0.0.0:1',
    'http://localhost.example.com',
    'http://evil.localhost',
    'http://127.0.0.1.example.com',
  ])('plain http to %s needs a confirmation', (text) => {
    expect(checkBaseUrl(text)).toMatchObject({ ok: false, error: { kind: 'insecure-url' } })
    expect(checkBaseUrl(text, { allowInsecure: true })).toMatchObject({ ok: true })
  })

  test(seeded('its normal form is taken as it is, whatever was typed'), () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withFragments: false, withQueryParameters: false }), fc.string(), fc.webPath()), (text) => {
        const once = checkBaseUrl(text, { allowInsecure: true })
        if (!once.ok) return
        expect(checkBaseUrl(once.value, { allowInsecure: true })).toEqual(once)
        expect(once.value.endsWith('/')).toBe(false)
      }),
      { seed },
    )
  })
})
