import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import WithAllRows from '../support/WithAllRows.svelte'
import { mounted, settled } from '../support/mounted.ts'

/** A project of `total` names, each answer held until `go` is called. */
const slowProject = () => {
  const project = { names: [] as string[], asked: [] as { offset: number; filter: string }[] }
  const held: (() => void)[] = []
  const bridge = {
    query: (_: string, { offset, limit, filter }: { offset: number; limit: number; filter: string }) => {
      project.asked.push({ offset, filter })
      return new Promise((resolve) =>
        held.push(() => {
          const names = project.names.filter((name) => name.includes(filter))
          const rows = names.slice(offset, offset + limit).map((name) => ({ name, isSecret: false, type: null, cells: [] }))
          resolve({ ok: true, value: { environments: [], total: names.length, offset, rows } })
        }),
      )
    },
    command: () => Promise.reject(new Error('no command is expected')),
    onPush: () => () => {},
  } as unknown as Bridge
  const go = async () => {
    for (const release of held.splice(0)) release()
    await settled()
  }
  return { project, bridge, go }
}

const names = (count: number, start = 'N') => Array.from({ length: count }, (_, at) => `${start}${at}`)

test('all pages are read before any is shown, and a change meanwhile is read afterwards', async () => {
  const { project, bridge, go } = slowProject()
  project.names = names(450)
  const state = $state({ filter: '', version: 1 })
  const root = mounted(WithAllRows, { state }, bridge)
  for (const offset of [0, 200, 400]) {
    expect(project.asked.at(-1)?.offset).toBe(offset)
    expect(root.textContent).toBe('none')
    // The rows change faster than all of them can be read.
    state.version += 1
    flushSync()
    await go()
  }
  expect(root.textContent).toBe('450')

  project.names = names(300)
  await go()
  expect(root.textContent).toBe('450')
  await go()
  expect(root.textContent).toBe('300')
  expect(project.asked).toHaveLength(5)
})

test('the answer to an earlier question is dropped', async () => {
  const { project, bridge, go } = slowProject()
  project.names = [...names(10, 'A'), ...names(5, 'B')]
  const state = $state({ filter: 'A', version: 1 })
  const root = mounted(WithAllRows, { state }, bridge)
  state.filter = 'B'
  flushSync()
  await go()
  expect(root.textContent).toBe('5')
})
