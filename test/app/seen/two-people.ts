import type { ConflictRow, EnvironmentRow, ProjectRow, VariableRow } from '../../../electron/bridge/rows.ts'
import { deskOf, workspaceId, type Desk } from '../../support/desk.ts'
import { createSyncStage } from '../../support/sync-stage.ts'
import { valueOf } from '../../support/value-of.ts'

export { workspaceId }

/** One person at a computer of their own: what their screen shows, by name. */
export class Person {
  readonly desk: Desk
  constructor(desk: Desk) {
    this.desk = desk
  }

  get handlers(): Desk['handlers'] {
    return this.desk.handlers
  }

  environmentId(slug: string): string {
    const { client } = this.desk
    return client.find('environment', client.find('project', null, 'shop').id, slug).id
  }

  /** The row as the table shows it now. */
  async row(slug: string, name: string): Promise<VariableRow> {
    const found = await this.rows(slug)
    const row = found.find((each) => each.name === name)
    if (row === undefined) throw new Error(`no ${name} in ${slug}`)
    return row
  }

  async rows(slug: string): Promise<VariableRow[]> {
    const args = { workspaceId, environmentId: this.environmentId(slug), filter: '', offset: 0, limit: 100 }
    return (await valueOf(this.handlers['variables.page'](args))).rows
  }

  async project(): Promise<ProjectRow> {
    const [row] = await valueOf(this.handlers['projects.list']({ workspaceId }))
    if (row === undefined) throw new Error('no project')
    return row
  }

  async environment(slug: string): Promise<EnvironmentRow> {
    const row = (await valueOf(this.handlers['environments.list']({ workspaceId }))).find((each) => each.slug === slug)
    if (row === undefined) throw new Error(`no ${slug}`)
    return row
  }

  set(slug: string, name: string, value: string): void {
    this.desk.client.setVariable(this.environmentId(slug), name, value)
  }

  sync(): Promise<void> {
    return this.desk.client.sync()
  }

  /** The questions that are open, revealed. */
  async conflicts(): Promise<ConflictRow[]> {
    const rows = await valueOf(this.handlers['queue.list']({ workspaceId }))
    const open = rows.filter(({ state }) => state === 'conflict')
    return Promise.all(open.map(({ changeId }) => valueOf(this.handlers['conflicts.show']({ workspaceId, changeId, reveal: true }))))
  }

  /** Was, Mine and Theirs of the one field that is in question. */
  async question(): Promise<{ kind: string; was: string | null; mine: string | null; theirs: string | null }> {
    const [conflict, ...more] = await this.conflicts()
    const field = conflict?.fields.find(({ field: name }) => name === 'value') ?? conflict?.fields[0]
    if (conflict === undefined || field === undefined || more.length > 0) throw new Error('not one question')
    return { kind: conflict.kind, was: field.was.text, mine: field.mine.text, theirs: field.theirs.text }
  }

  contents(): Record<string, string> {
    return this.desk.client.contents()
  }

  value(slug: string, name: string): string | undefined {
    return this.contents()[`shop/${slug}/${name}`]
  }
}

/** Moves the row as it was shown, over one of its name. */
export const moveTo = async (by: Person, slug: string, { id, rev }: { id: string; rev: number }) => {
  const { id: environmentId, rev: seen } = await by.environment(slug)
  const rows = [{ id, seen: rev }]
  return valueOf(by.handlers['variables.copy-to']({ workspaceId, rows, environmentId, seen, onTaken: 'overwrite', move: true }))
}

/** Two people on one real service, with a project Shop of two environments, Prod and Dev, in which X is "one". */
export function createMeeting(): () => Promise<{
  me: Person
  them: Person
  bothSync: () => Promise<void>
  theyDo: (act: () => unknown) => Promise<void>
}> {
  const stage = createSyncStage()
  return async () => {
    const me = new Person(deskOf(stage.open()))
    me.desk.client.createProject('Shop')
    me.desk.client.createEnvironment('shop', 'Prod')
    me.desk.client.createEnvironment('shop', 'Dev')
    for (const slug of ['prod', 'dev']) me.set(slug, 'X', 'one')
    await me.sync()
    const them = new Person(deskOf(stage.open()))
    await them.sync()
    await me.sync()
    const bothSync = async () => {
      for (const person of [me, them, me]) await person.sync()
    }
    const theyDo = async (act: () => unknown) => {
      await act()
      await them.sync()
      await me.sync()
    }
    return { me, them, bothSync, theyDo }
  }
}
