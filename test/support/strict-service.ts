import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The answer at an address outside the specification: a status, or a web page with 200. */
export const unknownRoutes = [400, 403, 404, 405, 501, 'page'] as const
export type UnknownRoute = (typeof unknownRoutes)[number]

/** The body of an error, which the specification leaves open. */
export const errorBodies = ['empty', 'text', 'html'] as const
export type ErrorBody = (typeof errorBodies)[number]

export interface StrictOptions {
  unknownRoute: UnknownRoute
  errorBody: ErrorBody
  /** How other clients store a value: sealed under the key of the workspace, or in plain text. Reads answer the stored text. */
  store: (plain: string) => string
}

export interface StrictProject {
  id: string
  name: string
  slug: string
  icon: string
  createdAt: string
}

export interface StrictEnvironment {
  id: string
  name: string
  slug: string
  projectId: string
  createdAt: string
  updatedAt: string
}

export interface StrictVariable {
  id: string
  name: string
  /** As stored. */
  value: string
  type: string
  isSecret: boolean
  environmentId: string
  createdAt: string
  updatedAt: string
}

export interface StrictVersion {
  id: string
  label: string
  note: string
  environmentId: string
  createdAt: string
  variables: { name: string; value: string }[]
}

export interface StrictMember {
  id: string
  email: string
  status: string
  roleId: string
}

export interface StrictState {
  projects: StrictProject[]
  environments: StrictEnvironment[]
  variables: StrictVariable[]
  versions: StrictVersion[]
  members: StrictMember[]
}

export interface StrictService {
  /** Base URL on loopback, without a trailing slash. */
  url: string
  apiKey: string
  workspaceId: string
  /** Every request so far, as `METHOD /path`, the path as it was sent. */
  requests: string[]
  /** All records. Tests act as other clients through the functions below. */
  state: StrictState
  addProject(slug: string): StrictProject
  addEnvironment(project: string, slug: string): StrictEnvironment
  /** Writes a value as another client, and creates the variable if it is missing. */
  setVariable(project: string, environment: string, name: string, plain: string): StrictVariable
  deleteVariable(project: string, environment: string, name: string): void
  takeVersion(project: string, environment: string, label: string): StrictVersion
  addMember(email: string, roleId: string): StrictMember
  environment(project: string, slug: string): StrictEnvironment
  /** The variable as stored; undefined if there is none. */
  variable(project: string, environment: string, name: string): StrictVariable | undefined
  /** Carries out the next request that matches (`METHOD /path`), and loses its answer. */
  loseAnswer(of: RegExp): void
  /** Delays every answer by this much. */
  delay(milliseconds: number): void
  close(): Promise<void>
}

const apiKey = 'key of an owner'.replaceAll(' ', '-')
const workspaceId = 'workspace/0001'

/** An answer before serialization: data in the envelope, or the status of an error. */
type Answer = { status: 200 | 201; message: string; data: object } | { status: number }

const ok = (data: object, message = 'OK'): Answer => ({ status: 200, message, data })
const created = (data: object, message: string): Answer => ({ status: 201, message, data })
const notFound: Answer = { status: 404 }
const taken: Answer = { status: 409 }
const invalid: Answer = { status: 422 }

/**
 * A service written from the specification of the interface alone: its 14 operations to the letter; `options` decide what it leaves open.
 * It shares no code with our own service. Ids are not UUIDs and contain a "/"; slugs are any text; everything is in memory.
 */
export async function startStrictService(options: StrictOptions): Promise<StrictService> {
  const state: StrictState = { projects: [], environments: [], variables: [], versions: [], members: [] }
  const requests: string[] = []
  let made = 0
  let delayMs = 0
  let losing: RegExp | null = null

  const newId = (kind: string): string => {
    made += 1
    return `${kind}/${made.toString().padStart(4, '0')}`
  }
  /** A time that grows with every call, whatever the clock shows. */
  const stamp = (): string => {
    made += 1
    return new Date(Date.UTC(2026, 0, 1) + made * 1000).toISOString()
  }

  const projectAt = (slug: string) => state.projects.find((each) => each.slug === slug)
  const environmentAt = (project: string, slug: string) => {
    const parent = projectAt(project)
    return state.environments.find((each) => each.projectId === parent?.id && each.slug === slug)
  }
  const variablesOf = (environmentId: string) => state.variables.filter((each) => each.environmentId === environmentId)
  const variableAt = (project: string, environment: string, name: string) => {
    const parent = environmentAt(project, environment)
    return state.variables.find((each) => each.environmentId === parent?.id && each.name === name)
  }
  const addEnvironment = (parent: StrictProject, name: string, slug: string): StrictEnvironment => {
    const at = stamp()
    const environment = { id: newId('env'), name, slug, projectId: parent.id, createdAt: at, updatedAt: at }
    state.environments.push(environment)
    return environment
  }
  const addVariable = (environmentId: string, name: string, value: string): StrictVariable => {
    const at = stamp()
    const fixed = { type: 'string', isSecret: true, environmentId, createdAt: at, updatedAt: at }
    const variable = { id: newId('var'), name, value, ...fixed }
    state.variables.push(variable)
    return variable
  }
  const drop = (variable: StrictVariable): void => void state.variables.splice(state.variables.indexOf(variable), 1)

  const shown = (variable: StrictVariable, ...fields: (keyof StrictVariable)[]) =>
    Object.fromEntries(fields.map((field) => [field, variable[field]]))

  const operations: [method: string, path: string, act: (at: string[], body: unknown) => Answer][] = [
    [
      'GET',
      '/workspace',
      () => ok({ id: workspaceId, name: 'Strict', slug: 'strict', icon: 'box', createdAt: '2026-01-01T00:00:00.000Z' }),
    ],
    [
      'GET',
      '/projects/*',
      ([slug = '']) => {
        const project = projectAt(slug)
        return project === undefined ? notFound : ok(project)
      },
    ],
    [
      'DELETE',
      '/projects/*',
      ([slug = '']) => {
        const project = projectAt(slug)
        if (project === undefined) return notFound
        const below = new Set(state.environments.filter((each) => each.projectId === project.id).map(({ id }) => id))
        state.projects = state.projects.filter((each) => each !== project)
        state.environments = state.environments.filter((each) => !below.has(each.id))
        state.variables = state.variables.filter((each) => !below.has(each.environmentId))
        state.versions = state.versions.filter((each) => !below.has(each.environmentId))
        return ok({ id: project.id, name: project.name, slug }, 'Project deleted.')
      },
    ],
    [
      'POST',
      '/projects/*/environments',
      ([project = ''], body) => {
        const given = textFields(body, ['name', 'slug'])
        const parent = projectAt(project)
        if (given?.name === undefined || given.slug === undefined) return invalid
        if (parent === undefined) return notFound
        if (environmentAt(project, given.slug) !== undefined) return taken
        const { id, name, slug, projectId, createdAt } = addEnvironment(parent, given.name, given.slug)
        return created({ id, name, slug, projectId, createdAt }, 'Environment created.')
      },
    ],
    [
      'GET',
      '/projects/*/environments/*',
      ([project = '', slug = '']) => {
        const environment = environmentAt(project, slug)
        if (environment === undefined) return notFound
        const { updatedAt: _, ...fields } = environment
        return ok(fields)
      },
    ],
    [
      'PATCH',
      '/projects/*/environments/*',
      ([project = '', current = ''], body) => {
        const given = textFields(body, ['name', 'slug'])
        if (given === null) return invalid
        const environment = environmentAt(project, current)
        if (environment === undefined) return notFound
        const holder = given.slug === undefined ? undefined : environmentAt(project, given.slug)
        if (holder !== undefined && holder !== environment) return taken
        Object.assign(environment, given, { updatedAt: stamp() })
        const { id, name, slug, projectId, updatedAt } = environment
        return ok({ id, name, slug, projectId, updatedAt }, 'Environment updated.')
      },
    ],
    [
      'GET',
      '/projects/*/environments/*/variables/*',
      ([project = '', environment = '', name = '']) => {
        const variable = variableAt(project, environment, name)
        return variable === undefined ? notFound : ok(shown(variable, 'id', 'name', 'value', 'environmentId', 'updatedAt', 'createdAt'))
      },
    ],
    [
      'DELETE',
      '/projects/*/environments/*/variables/*',
      ([project = '', environment = '', name = '']) => {
        const variable = variableAt(project, environment, name)
        if (variable === undefined) return notFound
        drop(variable)
        return ok(shown(variable, 'id', 'name', 'environmentId'), 'Variable deleted.')
      },
    ],
    [
      'DELETE',
      '/projects/*/environments/*/variables',
      ([project = '', environment = ''], body) => {
        const names = namesOf(body)
        const parent = environmentAt(project, environment)
        if (names === null) return invalid
        if (parent === undefined) return notFound
        const found = variablesOf(parent.id).filter(({ name }) => names.includes(name))
        found.forEach(drop)
        const deleted = found.map(({ id, name }) => ({ id, name }))
        const notThere = names.filter((name) => !found.some((each) => each.name === name))
        return ok({ deleted, count: deleted.length, notFound: notThere }, 'Variables deleted.')
      },
    ],
    [
      'PATCH',
      '/variables/*',
      ([id = ''], body) => {
        const given = variableFields(body)
        if (given === null) return invalid
        const variable = state.variables.find((each) => each.id === id)
        if (variable === undefined) return notFound
        const others = variablesOf(variable.environmentId).filter((each) => each !== variable)
        if (others.some(({ name }) => name === given['name'])) return taken
        Object.assign(variable, given, { updatedAt: stamp() })
        return ok(shown(variable, 'id', 'name', 'value', 'type', 'environmentId', 'updatedAt', 'createdAt'), 'Variable updated.')
      },
    ],
    [
      'GET',
      '/versions/*',
      ([id = '']) => {
        const version = state.versions.find((each) => each.id === id)
        return version === undefined ? notFound : ok({ ...version, variableCount: version.variables.length })
      },
    ],
    [
      'POST',
      '/versions/*/rollback',
      ([id = '']) => {
        const version = state.versions.find((each) => each.id === id)
        if (version === undefined) return notFound
        const kept = new Map(version.variables.map(({ name, value }) => [name, value]))
        const before = variablesOf(version.environmentId)
        const removed = before.filter(({ name }) => !kept.has(name))
        const updated = before.filter(({ name, value }) => kept.has(name) && kept.get(name) !== value)
        const added = version.variables.filter(({ name }) => !before.some((each) => each.name === name))
        removed.forEach(drop)
        for (const variable of updated) Object.assign(variable, { value: kept.get(variable.name), updatedAt: stamp() })
        for (const { name, value } of added) addVariable(version.environmentId, name, value)
        const counts = { added: added.length, updated: updated.length, removed: removed.length }
        return ok({ versionLabel: version.label, ...counts }, `Rolled back to ${version.label}.`)
      },
    ],
    [
      'POST',
      '/members',
      (_at, body) => {
        const given = textFields(body, ['email', 'roleId'])
        if (given?.email === undefined || given.roleId === undefined || !/^[^@\s]+@[^@\s]+$/.test(given.email)) return invalid
        if (state.members.some(({ email }) => email === given.email)) return taken
        const member = { id: newId('mem'), email: given.email, status: 'invited', roleId: given.roleId }
        state.members.push(member)
        return created(member, 'Member invited.')
      },
    ],
    [
      'DELETE',
      '/members/*',
      ([id = '']) => {
        const member = state.members.find((each) => each.id === id)
        if (member === undefined) return notFound
        state.members = state.members.filter((each) => each !== member)
        return ok({ id }, 'Member removed.')
      },
    ],
  ]

  const answerOf = async (request: IncomingMessage): Promise<Answer> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString('utf8')
    if (request.headers.authorization !== `Bearer ${apiKey}`) return { status: 401 }
    const segments = (request.url ?? '').split('/').slice(1).map(decodeURIComponent)
    for (const [method, path, act] of operations) {
      const at = method === request.method ? matched(path, segments) : null
      if (at === null) continue
      const isJson = request.headers['content-type'] === 'application/json'
      return act(at, text !== '' && isJson ? parse(text) : undefined)
    }
    return unknown
  }

  const server = createServer((request, response) => {
    const line = `${request.method} ${request.url}`
    requests.push(line)
    void answerOf(request).then(async (answer) => {
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
      if (losing?.test(line) === true) {
        losing = null
        request.socket.destroy()
        return
      }
      if (answer === unknown) return sendUnknown(response, options)
      if ('data' in answer) {
        const { status, message, data } = answer
        return send(response, status, 'application/json', JSON.stringify({ success: true, code: status, message, data }))
      }
      sendError(response, answer.status, options.errorBody)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const need = <T>(record: T | undefined, what: string): T => {
    if (record === undefined) throw new Error(`The strict service has no ${what}.`)
    return record
  }
  const environment = (project: string, slug: string) => need(environmentAt(project, slug), `environment ${project}/${slug}`)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey,
    workspaceId,
    requests,
    state,
    addProject(slug) {
      const project = { id: newId('pro'), name: slug, slug, icon: 'box', createdAt: stamp() }
      state.projects.push(project)
      return project
    },
    addEnvironment: (project, slug) => addEnvironment(need(projectAt(project), `project ${project}`), slug, slug),
    setVariable(project, slug, name, plain) {
      const known = variableAt(project, slug, name)
      const value = options.store(plain)
      return known === undefined
        ? addVariable(environment(project, slug).id, name, value)
        : Object.assign(known, { value, updatedAt: stamp() })
    },
    deleteVariable: (project, slug, name) => drop(need(variableAt(project, slug, name), `variable ${name}`)),
    takeVersion(project, slug, label) {
      const { id: environmentId } = environment(project, slug)
      const variables = variablesOf(environmentId).map(({ name, value }) => ({ name, value }))
      const version = { id: newId('ver'), label, note: '', environmentId, createdAt: stamp(), variables }
      state.versions.push(version)
      return version
    },
    addMember(email, roleId) {
      const member = { id: newId('mem'), email, status: 'active', roleId }
      state.members.push(member)
      return member
    },
    environment,
    variable: variableAt,
    loseAnswer: (of) => void (losing = of),
    delay: (milliseconds) => void (delayMs = milliseconds),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Marks an address outside the 14 operations, to be answered as the options say. */
const unknown: Answer = { status: 0 }

/** The segments of an address that the "*" of a path match; null when the path does not match. */
function matched(path: string, segments: readonly string[]): string[] | null {
  const parts = path.split('/').slice(1)
  if (parts.length !== segments.length) return null
  const isSame = parts.every((part, index) => part === '*' || part === segments[index])
  return isSame ? segments.filter((_, index) => parts[index] === '*') : null
}

const page = '<!doctype html><html><head><title>Configuration</title></head><body><div id="app"></div></body></html>'

function sendUnknown(response: ServerResponse, { unknownRoute, errorBody }: StrictOptions): void {
  if (unknownRoute === 'page') send(response, 200, 'text/html', page)
  else sendError(response, unknownRoute, errorBody)
}

function sendError(response: ServerResponse, status: number, body: ErrorBody): void {
  if (body === 'empty') response.writeHead(status).end()
  else if (body === 'text') send(response, status, 'text/plain', 'No.')
  else send(response, status, 'text/html', page)
}

const send = (response: ServerResponse, status: number, type: string, body: string): void =>
  void response.writeHead(status, { 'content-type': type }).end(body)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The body, if it has exactly these text fields; null otherwise. */
function textFields<K extends string>(body: unknown, known: readonly K[]): Partial<Record<K, string>> | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null
  const isFine = Object.entries(body).every(([key, value]) => (known as readonly string[]).includes(key) && isText(value))
  return isFine ? body : null
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

function namesOf(body: unknown): string[] | null {
  if (typeof body !== 'object' || body === null || !('names' in body) || !Array.isArray(body.names)) return null
  const names: unknown[] = body.names
  const isFine = names.length >= 1 && names.length <= 200 && names.every(isText)
  return isFine ? (names as string[]) : null
}

const fieldChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  name: isText,
  value: (value) => typeof value === 'string' && /^v1:[A-Za-z0-9+/]+=*$/.test(value),
  type: (value) => value === 'string' || value === 'number' || value === 'boolean',
  isSecret: (value) => typeof value === 'boolean',
}

function variableFields(body: unknown): Record<string, unknown> | null {
  if (typeof body !== 'object' || body === null) return null
  return Object.entries(body).every(([key, value]) => fieldChecks[key]?.(value) === true) ? { ...body } : null
}
