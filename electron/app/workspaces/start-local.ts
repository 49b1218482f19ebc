import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { formatWorkspaceKey, generateWorkspaceKey } from '../../cipher/workspace-key.ts'
import { displayNameProblem } from '../../../service/protocol/names.ts'
import { keepKey } from '../keys/keep-key.ts'
import { apiKeyName } from '../keys/key-names.ts'
import type { EmbeddedService } from './embedded-service.ts'
import { makeWorkspace } from './new-workspace.ts'
import type { WorkspacesContext } from './workspaces-context.ts'

const firstName = 'My workspace'

/** Makes a workspace with a service of its own on this computer, and opens it. `recoveryKey` is set where keys live in this session only. */
export const startLocal = async (
  context: WorkspacesContext,
  args: { name?: string | undefined },
): Promise<Result<{ workspaceId: string; recoveryKey: string | null }, AppError>> => {
  const name = args.name?.trim() ?? firstName
  const problem = displayNameProblem(name)
  if (problem !== null) return err({ kind: 'invalid-input', message: problem, field: 'name' })
  const store = await context.keys.storeForNewKeys()
  if (!store.ok) return store

  const key = generateWorkspaceKey(context.app.randomBytes)
  const started: { service?: EmbeddedService } = {}
  const made = await makeWorkspace(context, store.value, key, async (id, folder) => {
    const service = context.sessions.service(id, folder)
    started.service = service
    const first = await service.firstStart()
    const child = first.ok ? first.value : null
    const kept = child?.apiKey ? await keepKey(store.value, apiKeyName(id), child.apiKey) : ok(null)
    if (child !== null && kept.ok) return ok({ kind: 'local', name, baseUrl: null, remoteId: child.workspaceId, allowInsecure: false })
    await service.stop()
    if (!kept.ok) return kept
    return err({ kind: 'service-not-started', message: first.ok ? '' : first.error })
  })
  if (!made.ok) return made

  const plan = { info: made.value, folder: context.folders.pathOf(made.value.id), keyStore: context.keys.store }
  const opened = await context.sessions.open({ ...plan, ...started })
  if (!opened.ok) return opened
  return ok({ workspaceId: made.value.id, recoveryKey: store.value.kind === 'session' ? formatWorkspaceKey(key) : null })
}
