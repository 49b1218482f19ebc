// The keyboard of a dialog whose main button leads: a sync that brings something must not move it from “Cancel” to the button that acts.
import { flushSync } from 'svelte'
import { expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import TextDialog from '../../../src/features/text-mode/TextDialog.svelte'
import { draftsOf } from '../../../src/features/variables/drafts.svelte.ts'
import RollbackDialog from '../../../src/features/versions/RollbackDialog.svelte'
import { mounted, settled } from '../support/mounted.ts'

const settle = async () => {
  for (let turn = 0; turn < 6; turn += 1) await settled()
}

/** An application with these answers, by query. `sync` brings changes and waits until `query` was asked again. */
const application = (answers: Readonly<Record<string, unknown>>) => {
  const pushes = new Set<(push: never) => void>()
  const asked: string[] = []
  const bridge = {
    query: (name: string) => {
      asked.push(name)
      return Promise.resolve({ ok: true, value: structuredClone(answers[name] ?? []) })
    },
    command: () => Promise.resolve({ ok: true, value: null }),
    onPush: (listen: (push: never) => void) => {
      pushes.add(listen)
      return () => pushes.delete(listen)
    },
  } as unknown as Bridge
  const sync = async (query: string) => {
    const before = asked.length
    for (const tell of pushes) tell({ push: 'changed', workspaceId: 'w', tables: ['variables', 'queue', 'versions'] } as never)
    await vi.waitFor(() => expect(asked.slice(before)).toContain(query))
    await settle()
  }
  return { bridge, sync }
}

const button = (words: string): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>('[role="dialog"] button')].find(
    ({ textContent }) => textContent?.trim() === words,
  )
  if (found === undefined) throw new Error(`no button says ${words}`)
  return found
}
const focused = () => document.activeElement?.textContent?.trim()

/** Each opens its dialog and ends once its main button has the keyboard. */
const dialogs = {
  rollback: async () => {
    const counts = { added: 0, updated: 1, removed: 0, same: 0, resealed: 0 }
    const preview = { ...counts, names: [{ name: 'A', does: 'updated' }], isPartial: false, unsent: 0, fingerprint: 'f' }
    const { bridge, sync } = application({ 'versions.preview-rollback': preview })
    const props = {
      workspaceId: 'w',
      environmentName: 'Production',
      version: { id: 'v', label: 'v1' },
      status: undefined,
      keepsBefore: true,
    }
    mounted(RollbackDialog as never, { ...props, onclose: () => undefined } as never, bridge)
    await settle()
    return () => sync('versions.preview-rollback')
  },
  text: async () => {
    const line = { line: 1, name: 'A', status: 'changed', reason: null, warnings: [], id: 'v', value: '2', isSecret: false, type: 'string' }
    const { bridge, sync } = application({ 'import.preview': { lines: [line], rev: 1, invalid: 0 } })
    const drafts = draftsOf('lead-dialog')
    drafts.texts = [{ environmentId: 'e', base: 'A=1\n', text: 'A=2\n', rev: 1, keepNames: [], isPlain: true }]
    const props = { workspaceId: 'w', environmentId: 'e', drafts, where: 'Shop / Production', onclose: () => undefined }
    mounted(TextDialog as never, props as never, bridge)
    await settle()
    button('Review changes').click()
    flushSync()
    await settle()
    return () => sync('import.preview')
  },
}

test.each([
  ['rollback', 'Roll back'],
  ['text', 'Save 1 change'],
] as const)('in the dialog of a %s “%s” has the keyboard, until its user goes to “Cancel”, whatever a sync brings', async (which, main) => {
  const sync = await dialogs[which]()
  expect(focused()).toBe(main)
  button('Cancel').focus()
  await sync()
  expect(focused()).toBe('Cancel')
})
