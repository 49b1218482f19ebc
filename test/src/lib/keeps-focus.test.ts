// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest'
import { keepsFocus } from '../../../src/lib/keeps-focus.ts'

const field = (): HTMLInputElement => document.body.appendChild(document.createElement('input'))

beforeEach(() => document.body.replaceChildren())

test.each<[string, (own: HTMLInputElement) => void, boolean]>([
  ['where it was', () => undefined, true],
  ['nowhere, as its element is gone', (own) => own.remove(), true],
  ['nowhere, as it was dropped', (own) => own.blur(), true],
  ['in another field', () => field().focus(), false],
])('focus that is %s', (_, change, isStill) => {
  const own = field()
  own.focus()
  const kept = keepsFocus()
  change(own)
  expect(kept()).toBe(isStill)
})
