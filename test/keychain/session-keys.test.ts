import { expect, test } from 'vitest'
import { createSessionKeys } from '../../electron/keychain/session-keys.ts'

test('keys are kept, replaced and deleted', async () => {
  const keys = createSessionKeys()
  expect(await keys.get('a')).toEqual({ ok: true, value: null })
  await keys.set('a', '1')
  await keys.set('a', '2')
  expect(await keys.get('a')).toEqual({ ok: true, value: '2' })
  expect(await keys.delete('a')).toEqual({ ok: true, value: null })
  expect(await keys.delete('a')).toEqual({ ok: true, value: null })
  expect(await keys.get('a')).toEqual({ ok: true, value: null })
})

test('close forgets all', async () => {
  const keys = createSessionKeys()
  await keys.set('a', '1')
  keys.close()
  expect(await keys.get('a')).toEqual({ ok: true, value: null })
})
