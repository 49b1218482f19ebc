import { EventEmitter } from 'node:events'
import type { App } from 'electron'
import { expect, test, vi } from 'vitest'
import { showAtSecondStart } from '../../electron/main/second-instance.ts'

test('a second start shows the window, and nothing of its arguments, folder or data is used', () => {
  const app = new EventEmitter()
  const show = vi.fn()
  showAtSecondStart(app as unknown as App, show)
  const read = vi.fn()
  const untouchable = (): object => new Proxy([], { get: read, has: read, ownKeys: read, getOwnPropertyDescriptor: read })
  app.emit('second-instance', untouchable(), untouchable(), '/somebody/elses/folder', untouchable())
  expect(show.mock.calls).toEqual([[]])
  expect(read).not.toHaveBeenCalled()
})
