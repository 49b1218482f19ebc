import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppContext } from '../../../electron/app/app-context.ts'
import { environmentsHandlers } from '../../../electron/app/environments/environments-handlers.ts'
import { exportsHandlers } from '../../../electron/app/exports/exports-handlers.ts'
import { importsHandlers } from '../../../electron/app/imports/imports-handlers.ts'
import { projectsHandlers } from '../../../electron/app/projects/projects-handlers.ts'
import { referencesHandlers } from '../../../electron/app/references/references-handlers.ts'
import type { SettingsData } from '../../../electron/app/settings/settings.ts'
import { undoHandlers } from '../../../electron/app/undo/undo-handlers.ts'
import { createJobs } from '../../../electron/app/jobs.ts'
import { createUndoMemory } from '../../../electron/app/undo/undo-memory.ts'
import { variablesHandlers } from '../../../electron/app/variables/variables-handlers.ts'
import { createNewId } from '../../../electron/app/workspaces/new-id.ts'
import type { WorkspaceSession } from '../../../electron/app/workspaces/workspace-session.ts'
import type { AppError } from '../../../electron/bridge/app-error.ts'
import type { Push } from '../../../electron/bridge/contract.ts'
import { err, ok } from '../../../electron/bridge/result.ts'
import { createWorkspaceCipher, type WorkspaceCipher } from '../../../electron/cipher/workspace-cipher.ts'
import { openMirror } from '../../../electron/mirror/open-mirror.ts'
import { valueOf } from '../../support/value-of.ts'

export const workspaceId = 'workspace'

const handlersOf = (context: AppContext) => ({
  ...projectsHandlers(context),
  ...environmentsHandlers(context),
  ...variablesHandlers(context),
  ...importsHandlers(context),
  ...exportsHandlers(context),
  ...referencesHandlers(context),
  ...undoHandlers(context),
})

/** The real commands on a real database of a user who is offline: there is no service. */
export function createOfflineDesk() {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-desk-'))
  const mirror = openMirror(join(folder, 'mirror.sqlite'))
  if (!mirror.ok) throw new Error(mirror.error.message)
  const pushes: Push[] = []
  const settings: Partial<SettingsData> = { maskAll: false }
  const keys: { cipher: WorkspaceCipher | null } = { cipher: createWorkspaceCipher(randomBytes(32)) }
  const session: WorkspaceSession = {
    id: workspaceId,
    info: { id: workspaceId, name: 'Ours', kind: 'remote', baseUrl: '', allowInsecure: false, remoteId: '', createdAt: '' },
    mirror: mirror.value,
    get cipher() {
      return keys.cipher
    },
    get cipherProblem(): AppError | null {
      return keys.cipher === null ? { kind: 'keys-locked', message: 'Locked.' } : null
    },
    remote: null,
    port: null,
    engine: null,
    engineProblem: null,
    limits: () => [],
    serviceDamage: () => null,
    keysSettled: async () => undefined,
    needs: () => [],
  }
  const newId = createNewId({ now: Date.now, randomBytes })
  const context = {
    deps: { now: Date.now, log: () => undefined },
    settings: { get: () => settings },
    workspaces: {
      session: async (id: string) => (id === workspaceId ? ok(session) : err({ kind: 'not-found', message: 'No such workspace.' })),
      list: async () => [{ id: workspaceId, name: 'Ours' }],
    },
    undo: createUndoMemory(newId),
    jobs: createJobs((push) => void pushes.push(push)),
    newId,
    emit: (push: Push) => void pushes.push(push),
    // What these handlers never reach for is not there.
  } as unknown as AppContext
  const handlers = handlersOf(context)

  return {
    context,
    handlers,
    session,
    settings,
    keys,
    pushes,
    /** Makes a project with environments of these names; gives their ids. */
    async environments(...names: string[]): Promise<string[]> {
      const { id: projectId } = await valueOf(handlers['projects.create']({ workspaceId, name: 'Shop' }))
      const ids: string[] = []
      for (const name of names) ids.push((await valueOf(handlers['environments.create']({ workspaceId, projectId, name }))).id)
      return ids
    },
    async add(
      environmentId: string,
      name: string,
      value: string,
      more: { isSecret?: boolean; type?: 'string' | 'number' | 'boolean' } = {},
    ) {
      const input = { workspaceId, environmentId, name, value, type: more.type ?? ('string' as const), isSecret: more.isSecret ?? false }
      return (await valueOf(handlers['variables.create'](input))).id
    },
    /** Everything in an environment as the user sees it. */
    async read(environmentId: string): Promise<Record<string, string>> {
      const { text } = await valueOf(handlers['export.text']({ workspaceId, environmentId, format: 'json', reveal: true, resolve: false }))
      return Object.fromEntries(Object.entries(JSON.parse(text) as Record<string, unknown>).map(([name, value]) => [name, String(value)]))
    },
    close() {
      mirror.value.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type OfflineDesk = ReturnType<typeof createOfflineDesk>
