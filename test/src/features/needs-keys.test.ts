// @vitest-environment happy-dom
import { createRawSnippet } from 'svelte'
import { expect, test } from 'vitest'
import NeedsKeys from '../../../src/features/workspace/NeedsKeys.svelte'
import ScreenFooter from '../../../src/ui/screen-footer/ScreenFooter.svelte'
import { mounted, settled } from '../support/mounted.ts'

const button = (within: Element, name: string): HTMLElement => {
  const found = [...within.querySelectorAll('button')].find((one) => one.textContent?.trim() === name)
  if (found === undefined) throw new Error(`no button ${name}`)
  return found
}

test('while the field for a key has the keyboard, the foot shows no keys of the table', async () => {
  const children = createRawSnippet(() => ({ render: () => '<span>1 variable</span>' }))
  const foot = mounted(ScreenFooter, { children, hints: [{ keys: 'Del', what: 'delete' }] })
  const workspace = { id: 'w', needs: ['api-key'] }
  const bar = mounted(NeedsKeys, { workspace, keys: { state: 'ready' } } as never)
  expect(foot.textContent).toContain('delete')

  button(bar, 'Enter an API key').focus()
  await settled()
  expect(foot.textContent).not.toContain('delete')
  button(bar, 'Enter an API key').click()
  await settled()
  expect(document.activeElement?.tagName).toBe('INPUT')
  expect(foot.textContent).toContain('continue')
  button(bar, 'Not now').focus()
  await settled()
  expect(foot.textContent).not.toContain('delete')
  button(bar, 'Not now').click()
  await settled()
  expect(foot.textContent).toContain('delete')
})
