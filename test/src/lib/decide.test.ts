import { expect, onTestFinished, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { ConflictRow } from '../../../electron/bridge/rows.ts'
import { access } from '../../../src/lib/access.svelte.ts'
import { decide } from '../../../src/lib/decide.ts'

const conflict: ConflictRow = {
  changeId: 'c',
  kind: 'deleted-remotely',
  subject: 'variable',
  name: 'B_PORT',
  where: 'Shop / Production',
  remoteBy: null,
  remoteAt: null,
  fingerprint: 'f',
  news: null,
  fields: [],
  rollback: null,
}

test.each([
  ['deleted-remotely', 'variables.create'],
  ['changed-remotely', 'variables.delete'],
  ['fields', 'variables.update'],
] as const)('of a conflict (%s) whoever may not run %s can only take the other side', async (kind, command) => {
  const reason = 'You can only view this workspace.'
  access.learn({ isViewOnly: true, keepsDeleted: true, refusals: { [command]: reason } })
  onTestFinished(() => access.learn(null))
  const taken: unknown[] = []
  const bridge = {
    command: (_: string, { choice }: { choice: unknown }) => {
      taken.push(choice)
      return Promise.resolve({ ok: true, value: { restored: false } })
    },
  } as unknown as Bridge
  expect(await decide(bridge, 'w', { ...conflict, kind }, { take: 'mine' })).toBe(reason)
  expect(taken).toEqual([])
  expect(await decide(bridge, 'w', { ...conflict, kind }, { take: 'theirs' })).toBeNull()
  expect(taken).toEqual([{ take: 'theirs' }])
})
