import { ok } from '../../bridge/result.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Remote } from '../../remote/remote.ts'
import type { ServiceProfile } from '../../remote/service-profile.ts'
import type { SyncPort } from '../port.ts'
import { createBasicAdapter } from './basic/basic-adapter.ts'
import { createFullAdapter } from './full/full-adapter.ts'
import type { Adapter } from './shared/adapter.ts'
import { failed } from './shared/failures.ts'
import { acceptBy, openRules, sealBy, type ValueRules } from './shared/value-rules.ts'

export interface ConnectOptions {
  remote: Remote
  cipher: WorkspaceCipher
  /** Which values are accepted; by default all. */
  rules?: ValueRules
  /** The profile found last; valid until the service is asked again. */
  kept: ServiceProfile | null
}

/** The port to one service: passes each call to the adapter for its present kind, full or basic. */
export function connectService({ remote, cipher, rules = openRules(cipher), kept }: ConnectOptions): SyncPort {
  const accept = acceptBy(rules)
  const seal = sealBy(rules)
  const adapters: Record<ServiceProfile['kind'], Adapter> = {
    full: createFullAdapter(remote, accept, seal),
    basic: createBasicAdapter(remote, accept, seal),
  }
  const kind = (): ServiceProfile['kind'] => (remote.profile() ?? kept)?.kind ?? 'full'
  const adapter = (): Adapter => adapters[kind()]

  return {
    get hasFeed() {
      return adapter().hasFeed
    },
    get batch() {
      return adapter().batch
    },
    get limitOf() {
      return adapter().limitOf
    },
    async identify(workspaceId) {
      const workspace = await remote.getWorkspace()
      if (!workspace.ok) return failed(workspace.error)
      if (workspace.value.id !== workspaceId) return ok(false)
      const found = await remote.findProfile()
      return found.ok ? ok(true) : failed(found.error)
    },
    probe: async () => (await remote.getWorkspace()).ok,
    async *pull(cursor, known, environment) {
      // A basic service may be upgraded to a full one at any time.
      if (kind() === 'basic') await remote.findProfile()
      const before = kind()
      for await (const page of adapters[before].pull(cursor, known, environment)) {
        // A service that lost its feed is read as a basic one.
        if (!page.ok && before === 'full' && kind() === 'basic') return yield* adapters.basic.pull(null, known, environment)
        yield page
      }
    },
    push: (items) => adapter().push(items),
    reconcile: (item) => adapter().reconcile(item),
    readVersion: (remoteId) => adapter().readVersion(remoteId),
  }
}
