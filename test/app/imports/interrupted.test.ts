import { expect, test, vi } from 'vitest'
import { SavedInPart } from '../../../electron/app/edits/saved-in-part.ts'
import { interruptedNote, keepPart, leaveWork, settleWork } from '../../../electron/app/edits/unfinished-work.ts'
import { getState, unfinishedKeys } from '../../../electron/mirror/workspace-state.ts'
import { variablesIn } from '../../../electron/mirror/working-layer.ts'
import { recordRows } from '../../../electron/app/undo/record-rows.ts'
import { deleteVariable } from '../../../electron/app/variables/edit-variable.ts'
import { deskOf, workspaceId, type Desk } from '../../support/desk.ts'
import { createServiceStage } from '../../support/service-stage.ts'
import { asShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'

const stage = createServiceStage()
const lines = 2000
const text = Array.from({ length: lines }, (_, n) => `NAME_${n}=${n}\n`).join('')
const full = (): never => {
  throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' })
}

const open = (): Desk => deskOf(stage.open())
const prodOf = ({ client }: Desk) => client.find('environment', client.find('project', null, 'shop').id, 'prod').id
const importInto = (desk: Desk, token?: string) =>
  desk.handlers['import.apply']({ workspaceId, environmentId: prodOf(desk), text: `A=imported\n${text}`, seen: asShown, token })

/** Two desks with shop/prod, which has A. */
async function twoDesks(): Promise<[Desk, Desk]> {
  const [desk, other] = [open(), open()]
  desk.client.createProject('Shop')
  desk.client.createEnvironment('shop', 'Prod')
  desk.client.setVariable(prodOf(desk), 'A', 'was')
  await desk.client.sync()
  await other.client.sync()
  return [desk, other]
}

/** Lets `then` run after some parts of an import are saved. */
function afterParts(desk: Desk, then: () => void): void {
  const { emit } = desk.context
  let isDone = false
  vi.spyOn(desk.context, 'emit').mockImplementation((push) => {
    emit(push)
    if (isDone || desk.client.queue().length < 10) return
    isDone = true
    then()
  })
}

/** Begins an import that ends in its middle, as if Holdfast had been killed. Returns how many rows it has changed. */
async function killImport(desk: Desk): Promise<number> {
  const killed = (): never => {
    throw new Error('killed')
  }
  afterParts(desk, () => vi.spyOn(desk.client.mirror, 'write').mockImplementation(killed))
  await expect(importInto(desk)).rejects.toThrow('saved')
  vi.restoreAllMocks()
  const count = desk.client.queue().length
  expect(count).toBeLessThan(lines)
  return count
}

async function settle(desk: Desk): Promise<void> {
  await settleWork(desk.client.mirror, { now: Date.now(), newId: desk.context.newId })
  expect(desk.client.drift()).toEqual([])
}
const noteOf = (desk: Desk) => desk.client.mirror.snapshot(interruptedNote)

test('a killed import is undone at the next start, which says so until its user has read it', async () => {
  const [desk] = await twoDesks()
  const count = await killImport(desk)
  await settle(desk)
  expect(desk.client.queue()).toEqual([])
  expect(desk.client.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': 'was' })
  expect(await valueOf(desk.handlers['import.interrupted']({ workspaceId }))).toEqual({ undone: count, kept: 0, left: 0 })
  await settle(desk)
  expect(noteOf(desk)).toEqual({ undone: count, kept: 0, left: 0 })
  await valueOf(desk.handlers['import.dismiss']({ workspaceId }))
  expect(noteOf(desk)).toBeNull()
})

test('a killed import that is being undone tells how far it is', async () => {
  const [desk] = await twoDesks()
  await killImport(desk)
  const told: number[] = []
  await settleWork(desk.client.mirror, { now: Date.now(), newId: desk.context.newId }, (done) => told.push(done))
  expect(told[0]).toBe(0)
  expect(told).toEqual([...new Set(told)].toSorted((a, b) => a - b))
  expect(told.at(-1)).toBeLessThan(1)
})

test('what a killed import keeps for that holds none of its values: they can be large, and are in the queue', async () => {
  const [desk] = await twoDesks()
  await killImport(desk)
  const { kept, values } = desk.client.mirror.snapshot((tx) => ({
    kept: unfinishedKeys(tx)
      .map((key) => getState(tx, key))
      .join(),
    values: variablesIn(tx, prodOf(desk)).map(({ fields }) => fields.value?.sealed),
  }))
  expect(kept).toContain('NAME_0')
  expect(values.filter((value) => value === undefined || kept.includes(value))).toEqual([])
})

test('what a killed import had sent stays on the service, and is counted', async () => {
  const [desk, other] = await twoDesks()
  const count = await killImport(desk)
  await desk.client.sync()
  await settle(desk)
  expect(noteOf(desk)).toEqual({ undone: 0, kept: count, left: 0 })
  expect(desk.client.queue()).toEqual([])
  await desk.client.sync()
  await other.client.sync()
  expect(other.client.contents()).toEqual(desk.client.contents())
  expect(other.client.contents()['shop/prod/A']).toBe('imported')
})

test.each([
  { what: 'was sent stays', isSent: true, note: { undone: 0, kept: 1, left: 0 }, left: [] },
  { what: 'was not sent is undone', isSent: false, note: { undone: 1, kept: 0, left: 0 }, left: ['shop/prod/A'] },
])('a deletion of a killed import that $what', async ({ isSent, note, left }) => {
  const [desk, other] = await twoDesks()
  const { client } = desk
  const { id } = client.find('variable', prodOf(desk), 'A')
  const { remember, rememberDropped, finish } = recordRows()
  client.mirror.write((tx) => {
    deleteVariable(tx, { now: Date.now(), newId: desk.context.newId, remember, rememberDropped }, id, asShown)
    keepPart(tx, 'work', 1, finish(tx))
  })
  if (isSent) await client.sync()
  await settle(desk)
  expect(noteOf(desk)).toEqual(note)
  await client.sync()
  await other.client.sync()
  expect(Object.keys(other.client.contents())).toEqual(['shop', 'shop/prod', ...left])
})

test('what a user has edited since stays, and is counted', async () => {
  const [desk] = await twoDesks()
  const count = await killImport(desk)
  desk.client.setVariable(prodOf(desk), 'A', 'edited')
  await settle(desk)
  expect(noteOf(desk)).toEqual({ undone: count - 1, kept: 1, left: 0 })
  expect(desk.client.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': 'edited' })
})

test('an old copy from the middle of an import that was finished since takes nothing of it from the service', async () => {
  const [desk, other] = await twoDesks()
  await killImport(desk)
  await valueOf(importInto(other))
  await other.client.sync()
  await settle(desk)
  await desk.client.sync()
  await other.client.sync()
  expect(Object.keys(other.client.contents())).toHaveLength(lines + 3)
  expect(desk.client.contents()).toEqual(other.client.contents())
  expect(desk.client.queue()).toEqual([])
})

test('what a full disk keeps from being undone is said, and stays at the next start', async () => {
  const [desk] = await twoDesks()
  // The next part, and the first try to undo.
  afterParts(desk, () => vi.spyOn(desk.client.mirror, 'write').mockImplementationOnce(full).mockImplementationOnce(full))
  const failed = await importInto(desk)
  vi.restoreAllMocks()
  const count = desk.client.queue().length
  expect(count).toBeGreaterThan(9)
  const said = `The disk is full, so only ${count.toLocaleString('en-US')} changes were saved, and undo reverts them. Free some space, then try again.`
  expect(failed).toMatchObject({ ok: false, error: { kind: 'disk-full', message: said } })
  await settle(desk)
  expect(desk.client.queue()).toHaveLength(count)
  expect(noteOf(desk)).toBeNull()
  await valueOf(desk.handlers['undo.undo']({ workspaceId }))
  expect(desk.client.queue()).toEqual([])
})

test('what a disk was too full to mark as saved stays at the next start once its user edits on', async () => {
  const [desk] = await twoDesks()
  // The next part, the undo, and the mark.
  afterParts(desk, () => vi.spyOn(desk.client.mirror, 'write').mockImplementation(full))
  expect(await importInto(desk)).toMatchObject({ ok: false, error: { kind: 'disk-full' } })
  vi.restoreAllMocks()
  const imported = Object.keys(desk.client.contents())
  expect(imported.length).toBeGreaterThan(9)
  const environmentId = prodOf(desk)
  await valueOf(
    desk.handlers['variables.create']({ workspaceId, environmentId, name: 'MINE', value: 'mine', type: 'string', isSecret: false }),
  )
  await settle(desk)
  expect(noteOf(desk)).toBeNull()
  expect(Object.keys(desk.client.contents()).toSorted()).toEqual([...imported, 'shop/prod/MINE'].toSorted())
})

test('what any other failure keeps from being undone is said too, and stays at the next start', async () => {
  const [desk] = await twoDesks()
  const failing = (): never => {
    throw new Error('a mistake')
  }
  afterParts(desk, () => vi.spyOn(desk.client.mirror, 'write').mockImplementationOnce(failing).mockImplementationOnce(failing))
  const failed = await importInto(desk).catch((error: unknown) => error)
  vi.restoreAllMocks()
  const count = desk.client.queue().length
  expect(failed).toBeInstanceOf(SavedInPart)
  expect(failed).toMatchObject({ message: `only ${count.toLocaleString('en-US')} changes were saved, and undo reverts them` })
  await settle(desk)
  expect(desk.client.queue()).toHaveLength(count)
  expect(noteOf(desk)).toBeNull()
  await valueOf(desk.handlers['undo.undo']({ workspaceId }))
  expect(desk.client.queue()).toEqual([])
})

test('what a start fails to undo stays, with a note of it', async () => {
  const [desk] = await twoDesks()
  const count = await killImport(desk)
  desk.client.mirror.write(leaveWork)
  expect(noteOf(desk)).toEqual({ undone: 0, kept: 0, left: count })
  await settle(desk)
  expect(noteOf(desk)).toEqual({ undone: 0, kept: 0, left: count })
  expect(desk.client.queue()).toHaveLength(count)
})

test.each([
  { what: 'a lock', ends: ({ context }: Desk) => context.jobs.cancelAll(), note: { undone: 0, kept: 0, left: 0 } },
  { what: 'the end of Holdfast', ends: ({ context }: Desk) => void context.jobs.end(), note: { undone: 0, kept: 0, left: 0 } },
  { what: 'its user', ends: ({ context }: Desk) => context.jobs.cancel('token'), note: null },
])('an import that is cancelled by $what has undone itself, and its user is told if it was not them', async ({ ends, note }) => {
  const [desk] = await twoDesks()
  afterParts(desk, () => ends(desk))
  expect(await importInto(desk, 'token')).toMatchObject({ ok: false, error: { kind: 'cancelled' } })
  expect(desk.client.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': 'was' })
  expect(noteOf(desk)).toEqual(note)
})

test('a database that opens again while an import goes on leaves it alone', async () => {
  const [desk] = await twoDesks()
  let settled: Promise<void> = Promise.resolve()
  afterParts(desk, () => void (settled = settle(desk)))
  await valueOf(importInto(desk))
  await settled
  expect(noteOf(desk)).toBeNull()
  expect(Object.keys(desk.client.contents())).toHaveLength(lines + 3)
})
