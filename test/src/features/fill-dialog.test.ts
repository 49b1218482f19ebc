// @vitest-environment happy-dom
import { randomBytes } from 'node:crypto'
import { flushSync } from 'svelte'
import { expect, onTestFinished, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Push } from '../../../electron/bridge/contract.ts'
import FillDialog from '../../../src/features/compare/FillDialog.svelte'
import { createDesk, workspaceId } from '../../support/desk.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService } from '../../support/start-service.ts'
import { valueOf } from '../../support/value-of.ts'
import { mounted, settled } from '../support/mounted.ts'

test('every missing variable is listed and copied, though one is deleted after each question', async () => {
  const service = await startService()
  const desk = createDesk({ service, key: randomBytes(32), random: seededRandom(1) })
  onTestFinished(async () => {
    await desk.client.close()
    await service.close()
  })
  desk.client.createProject('Shop')
  const project = desk.client.find('project', null, 'shop')
  for (const slug of ['dev', 'prod']) desk.client.createEnvironment('shop', slug)
  const [dev, prod] = ['dev', 'prod'].map((slug) => desk.client.find('environment', project.id, slug).id) as [string, string]
  const names = Array.from({ length: 300 }, (_, at) => `NAME_${String(at).padStart(3, '0')}`)
  for (const name of names) desk.client.setVariable(dev, name, '1')

  const listeners = new Set<(push: Push) => void>()
  let deleted = 0
  const bridge: Bridge = {
    query: async (name, args) => {
      const answer = await desk.handlers[name as 'compare.missing'](args as never)
      if (deleted < 3) {
        desk.client.deleteVariable(dev, names[deleted] ?? '')
        deleted += 1
        for (const listener of listeners) listener({ push: 'changed', workspaceId, tables: ['variables'] })
      }
      return answer as never
    },
    command: (name, args) => desk.handlers[name as 'variables.copy-to'](args as never) as never,
    onPush: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const target = (await valueOf(desk.handlers['environments.list']({ workspaceId }))).find(({ id }) => id === prod)
  if (target === undefined) throw new Error('no prod')
  mounted(FillDialog, { workspaceId, target, onclose: () => {} }, bridge)
  const listed = () => [...document.querySelectorAll('li')].map((line) => line.textContent)
  await expect.poll(listed).toEqual(names.slice(3))
  document.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', { cancelable: true }))
  flushSync()
  await settled()
  expect(desk.client.children('variable', prod).map((row) => row.fields.name)).toEqual(names.slice(3))
})
