// @vitest-environment happy-dom
import { expect, onTestFinished, test } from 'vitest'
import Tour from '../../../src/features/start/Tour.svelte'
import { mounted } from '../support/mounted.ts'

test('the second step is not shown once its table is gone', () => {
  sessionStorage.setItem('holdfast.tour-step', '2')
  onTestFinished(() => sessionStorage.clear())
  const props = { workspaceId: 'w', projects: [], environments: [], onopen: () => {}, onnewenvironment: () => {} }
  const root = mounted(Tour, props as never)
  expect(root.textContent).toContain('Start with a sample')
  expect(root.textContent).not.toContain('Arrow keys')
  expect([...root.querySelectorAll('button')].map((button) => button.textContent?.trim())).toEqual(['Add sample', 'Skip'])
})
