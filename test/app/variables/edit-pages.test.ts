import { statSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'
import { createOfflineDesk, workspaceId } from '../imports/offline-desk.ts'

const variables = 300
const desk = createOfflineDesk()
let ids: string[] = []

beforeAll(async () => {
  const [environmentId = ''] = await desk.environments('Production')
  const text = Array.from({ length: variables }, (_, n) => `NAME_${n}=value\n`).join('')
  await valueOf(desk.handlers['import.apply']({ seen: asShown, workspaceId, environmentId, text }))
  const page = { workspaceId, environmentId, filter: '', offset: 0, limit: variables }
  ids = (await valueOf(desk.handlers['variables.page'](page))).rows.map(({ id }) => id)
})
afterAll(() => desk.close())

/** The pages of 4 kB, each with a head of 24 bytes, that the log has. */
const pagesOfLog = () => Math.floor(statSync(`${desk.session.mirror.file}-wal`).size / (4096 + 24))

test('an edit of an unsent value writes six pages: three to the history, two to the row, one to the queue', async () => {
  const pages: number[] = []
  for (const id of ids.filter((_, at) => at % 10 === 0)) {
    const before = pagesOfLog()
    await valueOf(desk.handlers['variables.update']({ workspaceId, id, seen: asShown, value: 'another' }))
    pages.push(pagesOfLog() - before)
  }
  // Now and then a page is full and becomes two.
  expect(pages.toSorted((a, b) => a - b)[Math.floor(pages.length / 2)]).toBe(6)
})
