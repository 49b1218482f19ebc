import { startFaultProxy, type PassingRequest } from '../../support/fault-proxy.ts'
import { isDocumented, isList } from '../../support/reduced-service.ts'
import { startService } from '../../support/start-service.ts'
import { startStrictService } from '../../support/strict-service.ts'
import { strictOptions } from '../../support/strict-rows.ts'
import { isSealed } from '../../../electron/cipher/value-cipher.ts'
import { cipher, key, portTo, Shelf, variable } from './shelf.ts'

/** A service without the change feed, with what other clients do to it. The project `shop` has the environments `dev` and `prod`. */
export interface BasicService {
  url: string
  apiKey: string
  workspaceId: string
  /** Whether it has lists. */
  lists: boolean
  put(environment: string, name: string, plain: string): Promise<void>
  remove(environment: string, name: string): Promise<void>
  renameVariable(environment: string, from: string, to: string): Promise<void>
  renameEnvironment(from: string, to: string): Promise<void>
  takeVersion(environment: string, label: string): Promise<string>
  addMember(email: string, roleId: string): Promise<string>
  /** What is stored in an environment, opened. */
  stored(environment: string): Promise<Record<string, string>>
  /** Every request since the last call, as `METHOD /path`. */
  requests(): string[]
  /** The next request like this is acted on, and its answer is lost. */
  lose(request: RegExp): void
  /** Every request like this is answered with this status and does nothing. */
  answer(request: RegExp, status: number): void
  close(): Promise<void>
}

const lineOf = ({ method, url }: PassingRequest): string => `${method} ${url.split('?')[0]}`

/** The real service behind a proxy that hides the feed, and the lists unless `lists`. */
async function startReal(lists: boolean): Promise<BasicService> {
  const service = await startService()
  const direct = portTo(service.url, service.apiKey)
  const others = new Shelf()
  const at = async (path: string) => {
    await others.pull(direct)
    return others.at(path)
  }
  const push = async (item: Parameters<typeof direct.push>[0][number]) => {
    const [outcome] = await direct.push([item])
    if (outcome?.is !== 'confirmed') throw new Error(JSON.stringify(outcome))
    return outcome
  }
  await push(others.create('project', null, { name: 'Shop', slug: 'shop' }))
  for (const slug of ['dev', 'prod']) await push(others.create('environment', await at('shop'), { name: slug, slug }))

  let losing: RegExp | null = null
  let answering: { request: RegExp; status: number } | null = null
  const proxy = await startFaultProxy(service.url, (request) => {
    const line = lineOf(request)
    if (answering?.request.test(line) === true) return { replace: { status: answering.status } }
    if (losing?.test(line) === true) {
      losing = null
      return 'drop-after'
    }
    return isDocumented(line) || (lists && isList(line)) ? 'none' : { replace: { status: 404 } }
  })
  return {
    url: proxy.url,
    apiKey: service.apiKey,
    workspaceId: service.workspaceId,
    lists,
    async put(environment, name, plain) {
      await others.pull(direct)
      const parent = others.at(`shop/${environment}`)
      const known = others.rows('variable', parent.remoteId).find(({ fields }) => fields.name === name)
      await push(
        known === undefined
          ? others.create('variable', parent, variable(name, plain))
          : others.update(known, { value: cipher.seal(plain) }),
      )
    },
    async remove(environment, name) {
      await push(others.remove(await at(`shop/${environment}/${name}`)))
    },
    async renameVariable(environment, from, to) {
      await push(others.update(await at(`shop/${environment}/${from}`), { name: to }))
    },
    async renameEnvironment(from, to) {
      await push(others.update(await at(`shop/${from}`), { slug: to }))
    },
    async takeVersion(environment, label) {
      const remoteId = others.create('project', null, {}).entry.id
      const parent = others.parentOf(await at(`shop/${environment}`))
      await push(others.operation({ kind: 'snapshot', rowKind: 'version', detail: { label, remoteId } }, { parent }))
      return remoteId
    },
    async addMember(email, roleId) {
      const done = await push(others.operation({ kind: 'invite', rowKind: 'member', detail: { email, roleId } }))
      return done.member?.remoteId ?? ''
    },
    async stored(environment) {
      const { remoteId } = await at(`shop/${environment}`)
      return others.contents(remoteId)
    },
    requests: () => proxy.log.splice(0).map(lineOf),
    lose: (request) => void (losing = request),
    answer: (request, status) => void (answering = { request, status }),
    async close() {
      await proxy.close()
      await service.close()
    },
  }
}

/** The service that is written from the specification alone, its ids with a `/` in them. */
async function startStrict(stored: 'sealed' | 'plain'): Promise<BasicService> {
  const service = await startStrictService(strictOptions({ unknownRoute: 404, errorBody: 'text', stored }, key))
  service.addProject('shop')
  for (const slug of ['dev', 'prod']) service.addEnvironment('shop', slug)
  let answering: { request: RegExp; status: number } | null = null
  const proxy = await startFaultProxy(service.url, (request) =>
    answering?.request.test(lineOf(request)) === true ? { replace: { status: answering.status } } : 'none',
  )
  const open = (value: string): string => (isSealed(value) ? cipher.open(value) : value) ?? ''
  return {
    url: proxy.url,
    apiKey: service.apiKey,
    workspaceId: service.workspaceId,
    lists: false,
    put: async (environment, name, plain) => void service.setVariable('shop', environment, name, plain),
    remove: async (environment, name) => service.deleteVariable('shop', environment, name),
    async renameVariable(environment, from, to) {
      const found = service.variable('shop', environment, from)
      if (found !== undefined) found.name = to
    },
    renameEnvironment: async (from, to) => void (service.environment('shop', from).slug = to),
    takeVersion: async (environment, label) => service.takeVersion('shop', environment, label).id,
    addMember: async (email, roleId) => service.addMember(email, roleId).id,
    async stored(environment) {
      const { id } = service.environment('shop', environment)
      const rows = service.state.variables.filter(({ environmentId }) => environmentId === id)
      return Object.fromEntries(rows.map(({ name, value }) => [name, open(value)]))
    },
    requests: () => service.requests.splice(0),
    lose: (request) => service.loseAnswer(request),
    answer: (request, status) => void (answering = { request, status }),
    async close() {
      await proxy.close()
      await service.close()
    },
  }
}

/** Every kind of service without the feed that the tests know. */
export const basicServices: [string, () => Promise<BasicService>][] = [
  ['with lists and ETags', () => startReal(true)],
  ['with ETags and no lists', () => startReal(false)],
  ['written from the specification', () => startStrict('sealed')],
  ['written from the specification, with plain values', () => startStrict('plain')],
]
