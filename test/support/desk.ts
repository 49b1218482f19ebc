import { v7 as uuid } from 'uuid'
import type { AppContext } from '../../electron/app/app-context.ts'
import { bulkHandlers } from '../../electron/app/bulk/bulk-handlers.ts'
import { compareHandlers } from '../../electron/app/compare/compare-handlers.ts'
import { restartHandlers } from '../../electron/app/restart/restart-handlers.ts'
import { deletedHandlers } from '../../electron/app/deleted/deleted-handlers.ts'
import { trackedHandlers } from '../../electron/app/tracked-names/tracked-handlers.ts'
import { environmentsHandlers } from '../../electron/app/environments/environments-handlers.ts'
import type { Handlers } from '../../electron/app/handlers.ts'
import { membersHandlers } from '../../electron/app/members/members-handlers.ts'
import { exportsHandlers } from '../../electron/app/exports/exports-handlers.ts'
import { referencesHandlers } from '../../electron/app/references/references-handlers.ts'
import { unverifiedHandlers } from '../../electron/app/unverified/unverified-handlers.ts'
import { historyHandlers } from '../../electron/app/history/history-handlers.ts'
import { importsHandlers } from '../../electron/app/imports/imports-handlers.ts'
import { projectsHandlers } from '../../electron/app/projects/projects-handlers.ts'
import { conflictsHandlers } from '../../electron/app/queue/conflicts-handlers.ts'
import { queueHandlers } from '../../electron/app/queue/queue-handlers.ts'
import { undoHandlers } from '../../electron/app/undo/undo-handlers.ts'
import { createJobs } from '../../electron/app/jobs.ts'
import { createUndoMemory } from '../../electron/app/undo/undo-memory.ts'
import { versionsHandlers } from '../../electron/app/versions/versions-handlers.ts'
import { variablesHandlers } from '../../electron/app/variables/variables-handlers.ts'
import type { WorkspaceSession } from '../../electron/app/workspaces/workspace-session.ts'
import type { AppError } from '../../electron/bridge/app-error.ts'
import type { Push } from '../../electron/bridge/contract.ts'
import { ok } from '../../electron/bridge/result.ts'
import { TestClient, type ClientOptions } from './build-client.ts'

/** The one workspace of a desk. */
export const workspaceId = 'workspace'

const handlersOf = (context: AppContext) => ({
  ...projectsHandlers(context),
  ...environmentsHandlers(context),
  ...variablesHandlers(context),
  ...bulkHandlers(context),
  ...importsHandlers(context),
  ...compareHandlers(context),
  ...queueHandlers(context),
  ...conflictsHandlers(context),
  ...undoHandlers(context),
  ...deletedHandlers(context),
  ...restartHandlers(context),
  ...historyHandlers(context),
  ...unverifiedHandlers(context),
  ...exportsHandlers(context),
  ...referencesHandlers(context),
  ...versionsHandlers(context),
  ...membersHandlers(context),
  ...trackedHandlers(context),
})

export interface Desk {
  client: TestClient
  context: AppContext
  handlers: Pick<Handlers, keyof ReturnType<typeof handlersOf>>
  pushes: Push[]
}

/** The real commands on a real database, of a user whose sync runs only when the test says so. */
export const createDesk = (options: ClientOptions): Desk => deskOf(new TestClient(options))

export interface DeskOptions {
  /** Edits wake its engine, as in the application. */
  isWoken?: boolean
  /** What makes ids, where a run has to be repeated. */
  newId?: () => string
  /** Why values cannot be read now. */
  cipherProblem?: () => AppError | null
  canSync?: () => boolean
  kind?: 'local' | 'remote'
}

/**
 * The same for a client that is there already; what it remembers for undo begins empty.
 */
export function deskOf(client: TestClient, options: DeskOptions = {}): Desk {
  const { isWoken = false, newId = (): string => uuid(), cipherProblem = () => null, canSync = () => true, kind = 'remote' } = options
  const pushes: Push[] = []
  // What a process had under way goes no further when it has died, though the client comes back.
  const { mirror } = client
  const session: WorkspaceSession = {
    id: workspaceId,
    info: {
      id: workspaceId,
      name: 'Ours',
      kind,
      baseUrl: null,
      allowInsecure: false,
      remoteId: client.workspaceId,
      createdAt: '',
    },
    get mirror() {
      return isWoken ? mirror : client.mirror
    },
    get cipher() {
      return cipherProblem() === null ? client.cipher : null
    },
    get cipherProblem() {
      return cipherProblem()
    },
    get remote() {
      return isWoken && canSync() ? client.remote : null
    },
    get port() {
      return isWoken && canSync() ? client.port : null
    },
    get engine() {
      return isWoken && canSync() ? client.engine : null
    },
    engineProblem: null,
    limits: () => [],
    serviceDamage: () => null,
    keysSettled: async () => undefined,
    needs: () => [],
  }
  let steps = 0
  const context = {
    deps: { now: client.now, log: () => undefined },
    settings: { get: () => ({ maskAll: false }) },
    workspaces: { session: async () => ok(session), list: async () => [{ id: workspaceId, name: 'Ours' }] },
    // A run can be repeated, to the last answer.
    undo: createUndoMemory(() => `step ${(steps += 1)}`),
    jobs: createJobs((push) => void pushes.push(push)),
    newId,
    emit: (push: Push) => void pushes.push(push),
    // What these handlers never reach for is not there.
  } as unknown as AppContext
  return { client, context, handlers: handlersOf(context), pushes }
}
