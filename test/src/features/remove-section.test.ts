import { expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import RemoveSection from '../../../src/features/settings/RemoveSection.svelte'
import { mounted, namedField, settled, type } from '../support/mounted.ts'

const workspace = {
  id: 'w',
  name: 'Fernweh',
  kind: 'remote' as const,
  baseUrl: 'https://example.com',
  needs: [],
  problem: null,
  repair: null,
  serviceDamage: null,
  undoing: null,
}

test.each(['3 changes haven’t been sent yet.', 'Holdfast can’t tell how many changes haven’t been sent yet.'])(
  'a workspace is removed once its user has read what the application says is lost: %s',
  async (message) => {
    const sent: unknown[] = []
    const bridge = {
      query: () => Promise.reject(new Error('no query is expected')),
      command: (_: string, args: { discardUnsent: boolean }) => {
        sent.push(args.discardUnsent)
        return Promise.resolve(args.discardUnsent ? { ok: true, value: null } : { ok: false, error: { kind: 'unsent-edits', message } })
      },
      onPush: () => () => {},
    } as unknown as Bridge
    let isRemoved = false
    const section = mounted(RemoveSection, { workspace, onremoved: () => (isRemoved = true) }, bridge)
    type(namedField(section, 'Type the workspace name to confirm'), 'Fernweh')
    const remove = section.querySelector<HTMLButtonElement>('button[type="submit"]')
    remove?.click()
    await settled()
    await settled()
    expect(section.textContent).toContain(message)
    expect(section.textContent).not.toMatch(/\b0 changes\b/)
    expect([isRemoved, remove?.textContent.trim()]).toEqual([false, 'Discard changes and remove'])
    remove?.click()
    await settled()
    await settled()
    expect([isRemoved, sent]).toEqual([true, [false, false, true]])
  },
)

test('changes that were made since the question are not discarded unread', async () => {
  let count = 1
  let isRemoved = false
  const sent: boolean[] = []
  const bridge = {
    query: () => Promise.reject(new Error('no query is expected')),
    command: (_: string, { discardUnsent }: { discardUnsent: boolean }) => {
      sent.push(discardUnsent)
      const error = { kind: 'unsent-edits', message: `${count} changes haven’t been sent yet.` }
      return Promise.resolve(discardUnsent ? { ok: true, value: null } : { ok: false, error })
    },
    onPush: () => () => {},
  } as unknown as Bridge
  const section = mounted(RemoveSection, { workspace, onremoved: () => (isRemoved = true) }, bridge)
  type(namedField(section, 'Type the workspace name to confirm'), 'Fernweh')
  const press = async () => {
    section.querySelector<HTMLButtonElement>('button[type="submit"]')?.click()
    for (let turns = 0; turns < 3; turns += 1) await settled()
  }
  await press()
  count = 50
  await press()
  expect([isRemoved, sent]).toEqual([false, [false, false]])
  expect(section.textContent).toContain('50 changes')
  await press()
  expect([isRemoved, sent.at(-1)]).toEqual([true, true])
})
