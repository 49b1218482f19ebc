import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { CommandName, Commands, Queries, QueryName } from '../../../electron/bridge/contract.ts'
import type { Result } from '../../../electron/bridge/result.ts'
import { createVaultFile } from '../../../electron/keychain/vault-file.ts'
import { cheapDerivation } from '../../support/cheap-derivation.ts'
import { passphrase } from '../steps/keys.ts'

/** Values by name, with the types and secrecy that the line for new variables proposes; or a text that is imported. */
type Variables = string | Readonly<Record<string, string>>

/** Variables of environments of projects. */
export type Projects = Readonly<Record<string, Readonly<Record<string, Variables>>>>

/** What a new Holdfast opens with, where the dialogs that make it are no matter of the spec. */
export interface Workspace {
  /** Whose it is; none: a local one. */
  service?: { readonly url: string; readonly apiKey: string }
  /** The key of a workspace that has one; none: this is the first Holdfast of it, and makes its key. */
  key?: string | undefined
  projects?: Projects
  /** Seconds between two looks for changes of the service, where a spec waits for one; as Holdfast has it unless said. */
  syncSeconds?: number | undefined
}

/** The half of a bridge that asks. */
export type Asking = Pick<Bridge, 'query' | 'command'>

/**
 * Makes `workspace` in a new Holdfast on `dataDir`, with keys in a vault, by the commands that its page would send. The environment made last is where
 * the next page begins. Gives the workspace key where it was made here. A command that fails is a bug of the spec, and throws.
 */
export async function makeWorkspace(bridge: Asking, dataDir: string, workspace: Workspace): Promise<string | null> {
  // One that costs less than those that Holdfast makes: it opens a vault that it finds.
  const vault = path.join(dataDir, 'keys.vault')
  if (!existsSync(vault)) await createVaultFile(vault, passphrase, cheapDerivation())
  await command(bridge, 'keys.choose', { store: 'vault', passphrase })
  const { workspaceId, recoveryKey } = await open(bridge, workspace)
  const environmentId = await fill(bridge, workspaceId, workspace.projects ?? {})
  await command(bridge, 'app.remember-place', { workspaceId, environmentId })
  if (workspace.syncSeconds !== undefined) await command(bridge, 'settings.set', { syncIntervalSeconds: workspace.syncSeconds })
  return recoveryKey
}

const open = (bridge: Asking, { service, key }: Workspace) =>
  service === undefined
    ? command(bridge, 'workspaces.start-local', {})
    : command(bridge, 'workspaces.connect', {
        baseUrl: service.url,
        apiKey: service.apiKey,
        allowInsecure: false,
        workspaceKey: key ?? null,
        confirmNoValues: key === undefined,
      })

/** Gives the environment that was made last. */
async function fill(bridge: Asking, workspaceId: string, projects: Projects): Promise<string | null> {
  let last: string | null = null
  for (const [project, environments] of Object.entries(projects)) {
    const { id: projectId } = await command(bridge, 'projects.create', { workspaceId, name: project })
    for (const [environment, values] of Object.entries(environments)) {
      const { id: environmentId } = await command(bridge, 'environments.create', { workspaceId, projectId, name: environment })
      await addVariables(bridge, { workspaceId, environmentId }, values)
      last = environmentId
    }
  }
  return last
}

async function addVariables(bridge: Asking, at: { workspaceId: string; environmentId: string }, variables: Variables): Promise<void> {
  if (typeof variables === 'string') {
    const { rev } = await query(bridge, 'variables.page', { ...at, filter: '', offset: 0, limit: 1 })
    await command(bridge, 'import.apply', { ...at, seen: rev, text: variables })
    return
  }
  for (const [name, value] of Object.entries(variables)) {
    const { lines } = await query(bridge, 'import.preview', { ...at, text: `${name}=x` })
    await command(bridge, 'variables.create', { ...at, name, value, type: 'string', isSecret: lines[0]?.isSecret ?? false })
  }
}

const query = async <N extends QueryName>(bridge: Asking, name: N, args: Queries[N]['args']): Promise<Queries[N]['value']> =>
  valueOf(name, await bridge.query(name, args))

const command = async <N extends CommandName>(bridge: Asking, name: N, args: Commands[N]['args']): Promise<Commands[N]['value']> =>
  valueOf(name, await bridge.command(name, args))

function valueOf<T>(name: string, result: Result<T>): T {
  if (!result.ok) throw new Error(`${name}: ${result.error.message}`)
  return result.value
}
