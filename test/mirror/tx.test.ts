import { expect, onTestFinished, test } from 'vitest'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import { getState, setState } from '../../electron/mirror/workspace-state.ts'
import { tempFile } from './temp-file.ts'

const open = () => {
  const mirror = openMirror(tempFile())
  if (!mirror.ok) throw new Error(mirror.error.message)
  onTestFinished(() => mirror.value.close())
  return mirror.value
}

test.each([
  ['a success stays', true, 'second'],
  ['a failure leaves nothing', false, 'first'],
])('of an attempt within a transaction, %s', (_what, ok, kept) => {
  const mirror = open()
  const result = mirror.write((tx) => {
    setState(tx, 'name', 'first')
    return tx.attempt(() => {
      setState(tx, 'name', 'second')
      return { ok }
    })
  })
  expect([result, mirror.snapshot((tx) => getState(tx, 'name'))]).toEqual([{ ok }, kept])
})

test('of an attempt that throws nothing stays, and the transaction around it can go on', () => {
  const mirror = open()
  mirror.write((tx) => {
    setState(tx, 'name', 'first')
    const bug = () => {
      setState(tx, 'name', 'second')
      throw new Error('a bug')
    }
    expect(() => tx.attempt(bug)).toThrow('a bug')
  })
  expect(mirror.snapshot((tx) => getState(tx, 'name'))).toBe('first')
})
