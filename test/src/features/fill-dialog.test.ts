// @vitest-environment happy-dom
import { flushSync, mount, unmount } from 'svelte'
import { expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import FillDialog from '../../../src/features/compare/FillDialog.svelte'
import { anEnvironmentRow } from '../support/an-environment-row.ts'
import { settled } from '../support/mounted.ts'
import WithBridge from '../support/WithBridge.svelte'

test('the dialog of missing variables reads no further once it is closed', async () => {
  const answers: (() => void)[] = []
  const page = { ok: true, value: { environments: [], total: 1000, all: 1000, offset: 0, columnOffset: 0, rows: [] } }
  const query = vi.fn(() => new Promise<never>((resolve) => answers.push(() => resolve(page as never))))
  const bridge: Bridge = { query, command: vi.fn(), onPush: () => () => {} }
  // The comparison clears it when it closes the dialog.
  let environment: ReturnType<typeof anEnvironmentRow> | null = anEnvironmentRow()
  const props = {
    workspaceId: 'workspace',
    get target() {
      return environment
    },
    environments: [environment],
    onclose: vi.fn(),
  }
  const app = mount(WithBridge, { target: document.body, props: { bridge, component: FillDialog, props } as never })
  flushSync()
  expect(query).toHaveBeenCalledTimes(1)
  answers.pop()?.()
  await settled()
  expect(query).toHaveBeenCalledTimes(2)

  environment = null
  await unmount(app)
  answers.pop()?.()
  await settled()
  expect(query).toHaveBeenCalledTimes(2)
})
