import { describe, expect, test } from 'vitest'
import { bindingOf } from '../../electron/cipher/bound-value.ts'
import { boundText, nonceOf, readUnverified, type LastVerified } from '../../electron/cipher/stored-value.ts'
import { encryptValue } from '../../electron/cipher/value-cipher.ts'
import { verifyValue, type HeldValue, type ShownValue, type ValueMemory, type ValuePolicy } from '../../electron/cipher/verify-value.ts'
import { createWorkspaceCipher } from '../../electron/cipher/workspace-cipher.ts'

const cipher = createWorkspaceCipher(new Uint8Array(32).fill(7))
const others = createWorkspaceCipher(new Uint8Array(32).fill(8))
const here = { environmentId: 'prod', name: 'STRIPE_KEY', type: 'string', isSecret: true } as const
const place = { workspaceId: 'w', ...here }
const live = cipher.sealFor('sk_live', place)
const test1 = cipher.sealFor('sk_test', { ...place, environmentId: 'dev' })
const unbound = encryptValue(new Uint8Array(32).fill(7), 'sk_live')

type Memory = Omit<ValueMemory, 'isSuperseded' | 'isAnothers'> & { superseded: string[] }
const memory = (own: HeldValue | null = null, superseded: string[] = [], namesake: HeldValue | null = null): Memory => ({
  own,
  namesake,
  superseded,
})
const verify = (shown: Partial<ShownValue>, policy: ValuePolicy = 'bound', { own, namesake, superseded }: Memory = memory()) => {
  const told = { ...here, value: live, ...shown }
  const isShown = (sealed: string) => nonceOf(sealed) === nonceOf(told.value)
  const isAnothers = namesake !== null && isShown(namesake.sealed)
  return verifyValue(cipher, 'w', policy, told, { own, namesake, isAnothers, isSuperseded: superseded.some(isShown) })
}

const kept = (sealed: string, text: string): HeldValue => {
  const opened = cipher.openBound(sealed, [place])
  if (opened === null) throw new Error(`${text} is not bound here`)
  return { ...here, sealed: boundText(sealed, opened.binding), tag: cipher.tagOf(text), keyId: cipher.keyId }
}
const { keyId: _keyId, ...heldLive } = kept(live, 'sk_live')
const last: LastVerified = { ...heldLive, type: 'string', isSecret: true }

describe('after the workspace key was replaced', () => {
  const former = new Uint8Array(32).fill(9)
  const then = createWorkspaceCipher(Uint8Array.from(former))
  const now = createWorkspaceCipher(new Uint8Array(32).fill(1), [Uint8Array.from(former)])
  const sealed = then.sealFor('sk_live', place)
  const held: HeldValue = {
    ...kept(live, 'sk_live'),
    sealed: boundText(sealed, bindingOf(place)),
    tag: then.tagOf('sk_live'),
    keyId: then.keyId,
  }
  const verifyNow = (value: string, told: Partial<ShownValue> = {}, own: HeldValue | null = held) =>
    verifyValue(now, 'w', 'bound', { ...here, value, ...told }, { own, namesake: null, isSuperseded: false, isAnothers: false }).value

  test('a value that this computer verified with the former key stays as it is', () => {
    expect(verifyNow(sealed)).toEqual({ sealed: held.sealed, tag: held.tag, keyId: then.keyId })
  })

  test('no other value of the former key is verified, in any place or kind', () => {
    for (const { sealed: stored } of [
      verifyNow(then.sealFor('forged', place)),
      verifyNow(sealed, {}, null),
      verifyNow(sealed, { name: 'OTHER' }),
      verifyNow(sealed, { isSecret: false }),
    ])
      expect(readUnverified(stored)).toMatchObject({ doubt: 'elsewhere' })
  })
})

describe('in a bound workspace', () => {
  test('a value that was sealed to its variable is verified, with its type and secrecy', () => {
    const { value, type, isSecret } = verify({})
    expect(cipher.open(value.sealed)).toBe('sk_live')
    expect(value).toMatchObject({ tag: cipher.tagOf('sk_live'), keyId: cipher.keyId })
    expect([type, isSecret]).toEqual(['string', true])
  })

  const doubts: [what: string, shown: Partial<ShownValue>, doubt: string, readable: string | null][] = [
    ['the value of another environment', { value: test1 }, 'elsewhere', null],
    ['the value of another name', { name: 'OTHER' }, 'elsewhere', null],
    ['a value of another key', { value: others.sealFor('x', place) }, 'elsewhere', null],
    ['bytes that nobody sealed', { value: `v1:${Buffer.alloc(60).toString('base64')}` }, 'elsewhere', null],
    ['a plaintext', { value: 'postgres://attacker' }, 'plain', 'postgres://attacker'],
    ['a plaintext that looks kept', { value: `${live}.${'A'.repeat(43)}` }, 'plain', `${live}.${'A'.repeat(43)}`],
    ['a plaintext that looks Unverified', { value: 'u1:{}' }, 'plain', 'u1:{}'],
    ['a value that is bound to nothing', { value: unbound }, 'unbound', 'sk_live'],
    ['a secret that is said to be none', { isSecret: false }, 'kind', 'sk_live'],
    ['a text that is said to be a number', { type: 'number' }, 'kind', 'sk_live'],
  ]
  test.each(doubts)('%s is Unverified', (_what, shown, doubt, readable) => {
    const { value, isSecret } = verify(shown)
    expect(readUnverified(value.sealed)).toMatchObject({ doubt, last: null })
    expect(value.tag).toBeNull()
    expect(cipher.open(value.sealed)).toBeNull()
    expect(cipher.tagged(value.sealed).tag).toBeNull()
    expect(cipher.openUnverified(value.sealed)).toBe(readable)
    expect(value.sealed).not.toContain('attacker')
    // Whatever the service says: without a verified value to go by, it is masked.
    expect(isSecret).toBe(true)
  })

  test.each(doubts)('%s keeps what was last verified, and its type and secrecy', (_what, shown) => {
    const present = { ...kept(live, 'sk_live') }
    const first = verify(shown, 'bound', memory(present))
    expect(readUnverified(first.value.sealed)?.last).toEqual(last)
    expect([first.type, first.isSecret]).toEqual(['string', true])
    // A second one does not take the place of what was verified.
    const again = verify({ value: 'other' }, 'bound', memory({ ...here, ...first.value }))
    expect(readUnverified(again.value.sealed)?.last).toEqual(last)
  })

  test('a plaintext that is shown again is the same value, not another one', () => {
    const first = verify({ value: 'plain' })
    const again = verify({ value: 'plain' }, 'bound', memory({ ...here, ...first.value, type: null, isSecret: null }))
    expect(again.value.sealed).toBe(first.value.sealed)
  })

  test('a value of which type and secrecy are not told is verified by trying them', () => {
    expect(verify({ type: undefined, isSecret: undefined })).toMatchObject({ type: 'string', isSecret: true })
    expect(verify({ type: undefined, isSecret: false }).value.tag).toBeNull()
  })

  test('a superseded value that comes back is Unverified', () => {
    const present = kept(cipher.sealFor('sk_rotated', place), 'sk_rotated')
    const { value } = verify({}, 'bound', memory(present, [live]))
    expect(readUnverified(value.sealed)).toMatchObject({ doubt: 'superseded', last: { tag: cipher.tagOf('sk_rotated') } })
    expect(cipher.openUnverified(value.sealed)).toBe('sk_live')
  })

  test('a forged value that goes again leaves the last verified one in force', () => {
    const forged = verify({ value: 'plain' }, 'bound', memory(kept(live, 'sk_live'), [live]))
    const back = verify({}, 'bound', memory({ ...here, ...forged.value }, [live]))
    expect(cipher.open(back.value.sealed)).toBe('sk_live')
  })

  test('the same text under an older sealing is no other value', () => {
    const present = kept(cipher.sealFor('sk_live', place), 'sk_live')
    expect(cipher.open(verify({}, 'bound', memory(present, [live])).value.sealed)).toBe('sk_live')
  })

  test('a value from before its variable was renamed is superseded, even one with the same text', () => {
    const renamed = { ...place, name: 'PAYMENT_KEY' }
    const sealed = cipher.sealFor('sk_live', renamed)
    const binding = cipher.openBound(sealed, [renamed])?.binding ?? Buffer.alloc(0)
    const present = { ...kept(live, 'sk_live'), name: 'PAYMENT_KEY', sealed: boundText(sealed, binding) }
    expect(readUnverified(verify({}, 'bound', memory(present, [live])).value.sealed)).toMatchObject({
      doubt: 'superseded',
      last: { name: 'PAYMENT_KEY' },
    })
  })

  test('of a variable under another name, the value last verified is kept, and it is a secret', () => {
    const plain = { ...kept(live, 'sk_live'), isSecret: false }
    const { value, isSecret } = verify({ name: 'OTHER', isSecret: false }, 'bound', memory(plain))
    expect(readUnverified(value.sealed)).toMatchObject({ doubt: 'elsewhere', last: { name: 'STRIPE_KEY', isSecret: false } })
    expect(isSecret).toBe(true)
    const back = verify({}, 'bound', memory({ ...here, name: 'OTHER', ...value }, [live]))
    expect(cipher.open(back.value.sealed)).toBe('sk_live')
  })

  test('the value of another variable, shown with the name of that one, takes nothing from the one whose record it is', () => {
    const other = { ...place, name: 'OTHER' }
    const sealed = cipher.sealFor('other', other)
    const binding = cipher.openBound(sealed, [other])?.binding ?? Buffer.alloc(0)
    const namesake = { ...here, name: 'OTHER', sealed: boundText(sealed, binding), tag: cipher.tagOf('other'), keyId: cipher.keyId }
    const shown = { name: 'OTHER', value: sealed }
    const { value } = verify(shown, 'bound', memory(kept(live, 'sk_live'), [], namesake))
    expect(readUnverified(value.sealed)).toMatchObject({ doubt: 'elsewhere', last })
    // Nor in two steps.
    const again = verify(shown, 'bound', memory({ ...here, name: 'OTHER', ...value }, [], namesake))
    expect(readUnverified(again.value.sealed)).toMatchObject({ doubt: 'elsewhere', last })
    expect(verify({}, 'bound', memory({ ...here, name: 'OTHER', ...again.value })).value.sealed).toBe(last.sealed)
  })

  test('a variable that is renamed, and one that is created again by a rollback, are no lies', () => {
    const other = { ...place, name: 'OTHER' }
    const renamed = verify({ name: 'OTHER', value: cipher.sealFor('sk_live', other) }, 'bound', memory(kept(live, 'sk_live'), [live]))
    expect(cipher.open(renamed.value.sealed)).toBe('sk_live')
    expect(cipher.open(verify({}, 'bound', memory(null, [], kept(live, 'sk_live'))).value.sealed)).toBe('sk_live')
  })

  test('the same text from before it was a secret does not unmask it', () => {
    const plain = cipher.sealFor('sk_live', { ...place, isSecret: false })
    const { value, isSecret } = verify({ value: plain, isSecret: false }, 'bound', memory(kept(live, 'sk_live'), [plain]))
    expect(readUnverified(value.sealed)).toMatchObject({ doubt: 'superseded', last })
    expect(isSecret).toBe(true)
  })
})

test('with keys that were wiped at a lock nothing is judged: a good value would be kept as a forged one', () => {
  const locked = createWorkspaceCipher(new Uint8Array(32).fill(7))
  locked.wipe()
  for (const policy of ['open', 'binding', 'bound'] as const)
    expect(() =>
      verifyValue(locked, 'w', policy, { ...here, value: live }, { own: null, namesake: null, isSuperseded: false, isAnothers: false }),
    ).toThrow('The keys were locked')
})

describe('while the values of a workspace are being bound', () => {
  test.each<[string, string, string]>([
    ['its old unbound value', unbound, 'unbound'],
    ['a plaintext', 'plain', 'plain'],
  ])('a variable that is bound already is not put back to %s', (_what, value, doubt) => {
    const known = memory(kept(live, 'sk_live'))
    expect(readUnverified(verify({ value }, 'binding', known).value.sealed)).toMatchObject({ doubt, last })
    // Nor in two steps.
    const forged = { ...here, ...verify({ value }, 'binding', known).value }
    expect(readUnverified(verify({ value }, 'binding', memory(forged)).value.sealed)).toMatchObject({ doubt, last })
    // Other clients of an open workspace write what they like.
    expect(readUnverified(verify({ value }, 'open', known).value.sealed)).toBeNull()
  })
})

describe.each(['open', 'binding'] as const)('in an %s workspace', (policy) => {
  const taken: [what: string, value: string, text: string | null][] = [
    ['a bound value', live, 'sk_live'],
    ['an unbound value', unbound, 'sk_live'],
    ['a plaintext', 'plain', 'plain'],
    ['a value of another key', others.seal('x').sealed, null],
  ]
  test.each(taken)('%s is taken', (_what, value, text) => {
    const { value: made, isSecret } = verify({ value }, policy)
    expect(cipher.open(made.sealed)).toBe(text)
    expect(readUnverified(made.sealed)).toBeNull()
    expect([undefined, true]).toContain(isSecret)
  })
})
