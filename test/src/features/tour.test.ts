// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import Tour from '../../../src/features/start/Tour.svelte'
import { mounted } from '../support/mounted.ts'

const project = { id: 'p', name: 'Shop', slug: 'shop', sync: 'synced', rev: 0 }
const environment = { id: 'e', projectId: 'p', name: 'Prod', slug: 'prod', variableCount: 0, sync: 'synced', rev: 0 }

test.each([
  { what: 'nothing', has: { projects: [], environments: [] }, says: 'Start with a sample', buttons: ['Add sample', 'Skip'] },
  { what: 'a project', has: { projects: [project], environments: [] }, says: 'Add an environment', buttons: ['New environment', 'Skip'] },
  { what: 'an environment', has: { projects: [project], environments: [environment] }, says: 'Add a variable', buttons: ['Skip'] },
  {
    what: 'a variable, also after a restart',
    has: { projects: [project], environments: [{ ...environment, variableCount: 1 }] },
    says: 'Work from the keyboard',
    buttons: ['Done'],
  },
])('who has $what reads the step that comes next', ({ has, says, buttons }) => {
  const root = mounted(Tour, { workspaceId: 'w', ...has, onopen: () => {}, onnewenvironment: () => {} } as never)
  expect(root.querySelector('h2')?.textContent).toBe(says)
  expect([...root.querySelectorAll('button')].map((button) => button.textContent?.trim())).toEqual(buttons)
})
