import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { copyPathOf, runRepair, type RepairTask } from '../../../electron/app/repair/run-repair.ts'
import { repairInThread } from '../../../electron/app/repair/repair-workspace.ts'
import { allEntries } from '../../../electron/mirror/queue-layer.ts'
import { aWorkspace, opened } from '../../mirror/repair/a-workspace.ts'
import { tempFile } from '../../mirror/temp-file.ts'

const harmed = (): ReturnType<typeof aWorkspace> => {
  const made = aWorkspace()
  const bytes = readFileSync(made.file)
  bytes.fill(0xa5, 0, 100)
  writeFileSync(made.file, bytes)
  return made
}
const taskOf = (what: RepairTask['do'], file: string): RepairTask => ({ do: what, file, dataDir: dirname(file), now: 1_760_000_000_000 })

test('a repair runs in a thread: the call comes back before anything is done, and every unsent change is there in the end', async () => {
  const { file, queue } = harmed()
  const before = readdirSync(dirname(file))
  const repairing = repairInThread(taskOf('repair', file))
  expect(readdirSync(dirname(file))).toEqual(before)
  const repaired = await repairing
  expect(repaired).toMatchObject({
    ok: true,
    value: { report: { unsent: { kept: 60, lost: 0 } }, note: { copy: expect.stringContaining('damaged-2025-10-09') } },
  })
  const mirror = opened(file)
  expect(mirror.snapshot(allEntries)).toEqual(queue)
  mirror.close()
})

test('a look leaves nothing behind, a copy leaves what can be read, and both leave the damaged file as it is', async () => {
  const { file, queue } = harmed()
  const damaged = readFileSync(file)
  const before = readdirSync(dirname(file))
  expect(await repairInThread(taskOf('preview', file))).toMatchObject({ ok: true, value: { report: { unsent: { kept: 60 } }, note: null } })
  expect(readdirSync(dirname(file))).toEqual(before)
  await repairInThread(taskOf('copy', file))
  const mirror = opened(copyPathOf(file))
  expect(mirror.snapshot(allEntries)).toEqual(queue)
  mirror.close()
  expect(readFileSync(file).equals(damaged)).toBe(true)
})

test.each<{ says: string; file: () => string; kind: string }>([
  { says: 'that is whole', file: () => aWorkspace().file, kind: 'not-found' },
  { says: 'in a folder that is not there', file: () => join(dirname(tempFile()), 'nowhere', 'mirror.sqlite'), kind: 'folder-read-only' },
])('a database $says is refused from the thread with the same words as without one', async ({ file, kind }) => {
  const task = taskOf('repair', file())
  const refused = await repairInThread(task)
  expect(refused).toMatchObject({ ok: false, error: { kind } })
  expect(refused).toEqual(runRepair(task))
  expect(existsSync(`${task.file}.repairing`)).toBe(false)
})
