import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { lookOf, runSalvage, type SalvageTask } from '../../../electron/app/rescue/run-salvage.ts'
import { salvageAside } from '../../../electron/app/rescue/salvage-aside.ts'
import { allEntries } from '../../../electron/mirror/queue-layer.ts'
import { aWorkspace, opened } from '../../mirror/salvage/a-workspace.ts'
import { tempFile } from '../../mirror/temp-file.ts'

const harmed = (): ReturnType<typeof aWorkspace> => {
  const made = aWorkspace()
  const bytes = readFileSync(made.file)
  bytes.fill(0xa5, 0, 100)
  writeFileSync(made.file, bytes)
  return made
}
const taskOf = (what: SalvageTask['do'], file: string): SalvageTask => ({ do: what, file, dataDir: dirname(file), now: 1_760_000_000_000 })

test('a repair runs in a thread: the call comes back before anything is done, and every unsent change is there in the end', async () => {
  const { file, queue } = harmed()
  const before = readdirSync(dirname(file))
  const repairing = salvageAside(taskOf('repair', file))
  expect(readdirSync(dirname(file))).toEqual(before)
  const repaired = await repairing
  expect(repaired).toMatchObject({ ok: true, value: { report: { unsent: { kept: 60, lost: 0 } }, note: { at: 1_760_000_000_000 } } })
  const mirror = opened(file)
  expect(mirror.snapshot(allEntries)).toEqual(queue)
  mirror.close()
})

test('a look leaves nothing behind, a copy leaves what can be read, and both leave the damaged file as it is', async () => {
  const { file, queue } = harmed()
  const damaged = readFileSync(file)
  const before = readdirSync(dirname(file))
  expect(await salvageAside(taskOf('look', file))).toMatchObject({ ok: true, value: { report: { unsent: { kept: 60 } }, note: null } })
  expect(readdirSync(dirname(file))).toEqual(before)
  await salvageAside(taskOf('copy', file))
  const mirror = opened(lookOf(file))
  expect(mirror.snapshot(allEntries)).toEqual(queue)
  mirror.close()
  expect(readFileSync(file).equals(damaged)).toBe(true)
})

test.each<{ says: string; file: () => string; kind: string }>([
  { says: 'that is whole', file: () => aWorkspace().file, kind: 'not-found' },
  { says: 'in a folder that is not there', file: () => join(dirname(tempFile()), 'nowhere', 'mirror.sqlite'), kind: 'folder-read-only' },
])('a database $says is refused from the thread with the same words as without one', async ({ file, kind }) => {
  const task = taskOf('repair', file())
  const refused = await salvageAside(task)
  expect(refused).toMatchObject({ ok: false, error: { kind } })
  expect(refused).toEqual(runSalvage(task))
  expect(existsSync(`${task.file}.repairing`)).toBe(false)
})
