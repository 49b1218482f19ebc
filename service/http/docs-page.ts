import { errorCodes } from '../protocol/error-codes.ts'
import { roleIds, rolePermissions } from '../protocol/roles.ts'
import type { Endpoint } from './endpoint.ts'

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

interface Schema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  format?: string
  description?: string
  minItems?: number
  maxItems?: number
}

const choicesOf = (schema: Schema): Schema[] => schema.anyOf ?? schema.oneOf ?? [schema]

const counted = ({ minItems, maxItems }: Schema): string => (maxItems === undefined ? '' : ` (${minItems ?? 0} to ${maxItems})`)

/** The type that a schema accepts, in a word or two. */
const typeOf = (schema: Schema): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = choicesOf(schema)
  if (choices[0] !== schema) return [...new Set(choices.map(typeOf))].join(' | ')
  if (schema.items !== undefined) return `list${counted(schema)} of ${typeOf(schema.items)}`
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'any')
  return schema.format === undefined ? type : `${type} (${schema.format})`
}

interface Field {
  name: string
  schemas: Schema[]
  required: boolean
}

/** The fields of an object, or of a choice between objects: a field of several has all their types. */
const ownFields = (schemas: readonly Schema[]): Field[] => {
  const objects = schemas.flatMap(choicesOf).filter(({ properties }) => properties !== undefined)
  const fields = new Map<string, Field>()
  for (const { properties = {}, required = [] } of objects) {
    for (const [name, schema] of Object.entries(properties)) {
      const field = fields.get(name) ?? { name, schemas: [], required: true }
      fields.set(name, { name, schemas: [...field.schemas, schema], required: field.required && required.includes(name) })
    }
  }
  return [...fields.values()]
}

const itemsOf = (schemas: readonly Schema[]): Schema[] =>
  schemas.flatMap(choicesOf).flatMap(({ items }) => (items === undefined ? [] : [items]))

/** All fields with what is inside them, each under its whole name: `variables[].name`. */
const allFields = (schemas: readonly Schema[], prefix = ''): Field[] =>
  ownFields(schemas).flatMap((field) => {
    const name = `${prefix}${field.name}`
    const items = itemsOf(field.schemas)
    return [{ ...field, name }, ...(items.length === 0 ? allFields(field.schemas, `${name}.`) : allFields(items, `${name}[].`))]
  })

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}

interface Operation {
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

export interface OpenApiDocument {
  paths?: Record<string, Record<string, unknown> | undefined> | undefined
}

const row = (name: string, type: string, optional: boolean, words: string | undefined): string =>
  `<tr><th scope="row"><code>${escape(name)}</code></th><td>${escape(type)}</td><td>${optional ? 'optional' : ''}</td><td>${words === undefined ? '' : escape(words)}</td></tr>`

const table = (title: string, rows: readonly string[]): string =>
  rows.length === 0 ? '' : `<h4>${title}</h4><div class="wide"><table>${rows.join('')}</table></div>`

const fieldRows = (schema: Schema | undefined): string[] =>
  allFields(schema === undefined ? [] : [schema]).map(({ name, schemas, required }) =>
    row(
      name,
      [...new Set(schemas.map(typeOf))].join(' | '),
      !required,
      schemas.map(({ description }) => description).find((words) => words),
    ),
  )

const parameterRows = (operation: Operation, where: string): string[] =>
  (operation.parameters ?? [])
    .filter((parameter) => parameter.in === where)
    .map(({ name, schema, required, description }) =>
      row(name, schema === undefined ? 'string' : typeOf(schema), required !== true, description ?? schema?.description),
    )

const idOf = (endpoint: Endpoint): string =>
  `${endpoint.method}${endpoint.path}`
    .replace(/[^A-Za-z]+/g, '-')
    .replace(/-$/, '')
    .toLowerCase()

const section = (endpoint: Endpoint, operation: Operation): string => {
  const body = operation.requestBody?.content?.['application/json']?.schema
  const answer = operation.responses?.[String(endpoint.status)]?.content?.['application/json']?.schema?.properties?.['data']
  const tables = [
    table('Query', parameterRows(operation, 'query')),
    table('Headers', parameterRows(operation, 'header')),
    table('Body', fieldRows(body)),
    table('Data of the answer', fieldRows(answer)),
  ]
  return `<section id="${idOf(endpoint)}">
<h3><a href="#${idOf(endpoint)}"><span class="method">${endpoint.method}</span> <code>${escape(endpoint.path)}</code></a></h3>
<p>${escape(endpoint.summary)}.</p>
<p class="quiet">Needs <code>${endpoint.may}</code>, answers ${endpoint.status} “${escape(endpoint.message)}”</p>
<details><summary>Fields</summary>${tables.join('')}</details></section>`
}

/** The groups of the page, in order: an endpoint is in the first whose pattern its path has. */
const groups: readonly { id: string; title: string; pattern: RegExp }[] = [
  { id: 'workspace', title: 'Workspace', pattern: /^\/workspace/ },
  { id: 'versions', title: 'Versions', pattern: /\/versions/ },
  { id: 'variables', title: 'Variables', pattern: /\/variables/ },
  { id: 'environments', title: 'Environments', pattern: /\/environments/ },
  { id: 'projects', title: 'Projects', pattern: /^\/projects/ },
  { id: 'members', title: 'Members and roles', pattern: /^\/(?:members|roles)/ },
  { id: 'following', title: 'Changes and audit', pattern: /./ },
]
const shownOrder = ['workspace', 'projects', 'environments', 'variables', 'versions', 'members', 'following']

const errorWords: { readonly [K in keyof typeof errorCodes]: string } = {
  badRequest: 'The request cannot be read: not JSON, not UTF-8, a bad query or header.',
  unauthorized: 'No key, or one that is unknown, expired or revoked.',
  forbidden: 'The role may not do this.',
  notFound: 'There is nothing at this address.',
  methodNotAllowed: 'This address doesn’t support this method; Allow lists those it does.',
  timeout: 'The request took longer than two minutes to arrive. Nothing was done.',
  conflict: 'A name, slug, label or e-mail is taken.',
  gone: 'The feed cursor belongs to another history, or deletions after it were pruned: read everything again. For an item: its id was deleted.',
  stale: 'The record was changed since its ETag was read, or something below it since `seen`.',
  tooLarge: 'A value above 1 MiB, a body above 5 MiB, a version above 16 MiB, or a workspace that is full.',
  unsupportedType: 'The body is not JSON.',
  unprocessable: 'The body is not valid: data.issues says why. Or the Idempotency-Key was used for another request.',
  tooManyRequests: 'Too many requests; Retry-After says when to try again.',
  headersTooLarge: 'Headers above 16 KiB.',
  internal: 'The service failed, or it is unknown whether a write was committed.',
  unavailable:
    'The service is stopping, cannot reach its storage, or has no room for a large body or answer. Nothing was changed; Retry-After says when to try again.',
}

const errors = (): string => {
  const names = Object.keys(errorWords) as (keyof typeof errorCodes)[]
  const rows = names.map((name) => `<tr><th scope="row">${errorCodes[name]}</th><td>${escape(errorWords[name])}</td></tr>`)
  return `<div class="wide plain"><table>${rows.join('')}</table></div>`
}

const matrix = (): string => {
  const head = roleIds.map((role) => `<th scope="col">${role}</th>`).join('')
  const rows = rolePermissions.owner.map(
    (permission) =>
      `<tr><th scope="row"><code>${permission}</code></th>${roleIds.map((role) => `<td>${rolePermissions[role].includes(permission) ? 'yes' : ''}</td>`).join('')}</tr>`,
  )
  return `<div class="wide plain"><table><tr><td></td>${head}</tr>${rows.join('')}</table></div>`
}

/** The only style of the page; its hash goes into the Content-Security-Policy. */
export const docsStyle = `:root{color-scheme:light dark;--ink:light-dark(#1d1f23,#e6e7ea);--quiet:light-dark(#5b6069,#a3a8b2);--line:light-dark(#e3e5e9,#2c2f36);--paper:light-dark(#fff,#131418);--raised:light-dark(#f6f7f9,#1b1d22);--link:light-dark(#2450b8,#9db8ff)}
*{box-sizing:border-box}html{scroll-padding-top:1rem}body{margin:0;font:15px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
.page{display:grid;grid-template-columns:13rem minmax(0,1fr);gap:3rem;max-width:76rem;margin:0 auto;padding:2rem 1.5rem 6rem}
nav{position:sticky;top:2rem;align-self:start;font-size:14px}nav ul{list-style:none;margin:0;padding:0}nav li{margin:.3rem 0}nav a{color:var(--quiet);text-decoration:none}nav a:hover,nav a:focus{color:var(--ink);text-decoration:underline}
a{color:var(--link)}code{font:13px ui-monospace,monospace}h1{font-size:1.5rem;margin:0 0 .75rem}h2{font-size:1.15rem;margin:3rem 0 1rem;padding-bottom:.4rem;border-bottom:1px solid var(--line)}
h3{font-size:14px;margin:0;font-weight:400}h3 a{color:inherit;text-decoration:none}h3 a:hover{text-decoration:underline}h3 code{font-size:13.5px}h4{font-size:13px;margin:1rem 0 .25rem;color:var(--quiet);font-weight:600}
section{padding:.85rem 1rem;margin:0 0 .75rem;border:1px solid var(--line);border-radius:8px;overflow-wrap:anywhere}section:target{border-color:var(--link)}section p{margin:.35rem 0}
.method{display:inline-block;min-width:3.6rem;font:700 12px ui-monospace,monospace;letter-spacing:.02em}.quiet{color:var(--quiet);font-size:14px}
summary{cursor:pointer;font-size:14px;color:var(--quiet);width:max-content}summary:hover{color:var(--ink)}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:14px;width:100%}th,td{text-align:left;padding:.3rem 1rem .3rem 0;font-weight:400;vertical-align:top;border-bottom:1px solid var(--line)}tr:last-child>*{border-bottom:0}section th,section td{white-space:nowrap}section td:nth-child(2),section td:last-child{white-space:normal}section td:nth-child(2){min-width:9rem}section td:last-child{width:50%}table{overflow-wrap:normal}
pre{background:var(--raised);border:1px solid var(--line);border-radius:8px;padding:.75rem 1rem;overflow-x:auto;font:13px/1.5 ui-monospace,monospace;margin:1rem 0}
@media (max-width:56rem){.page{display:block;padding:1.25rem 1rem 4rem}nav{position:static;margin-bottom:1.5rem}nav li{display:inline-block;margin:0 1rem .25rem 0}}`

/** The documentation page: every endpoint with its fields, the errors and the roles. It loads no other resource. */
export const docsPage = (endpoints: readonly Endpoint[], document: OpenApiDocument): string => {
  const groupOf = (endpoint: Endpoint) => groups.find(({ pattern }) => pattern.test(endpoint.path))?.id
  const shown = shownOrder.flatMap((id) => {
    const group = groups.find((one) => one.id === id)
    const members = endpoints.filter((endpoint) => groupOf(endpoint) === id)
    return group === undefined || members.length === 0 ? [] : [{ ...group, members }]
  })
  const links = [...shown, { id: 'errors', title: 'Errors' }, { id: 'roles', title: 'Roles' }]
  const body = shown.map(({ id, title, members }) => {
    const sections = members.map((endpoint) =>
      section(endpoint, (document.paths?.[endpoint.path]?.[endpoint.method.toLowerCase()] ?? {}) as Operation),
    )
    return `<h2 id="${id}">${title}</h2>\n${sections.join('\n')}`
  })
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Holdfast service</title>
<style>${docsStyle}</style></head><body><div class="page">
<nav aria-label="Contents"><ul>${links.map(({ id, title }) => `<li><a href="#${id}">${title}</a></li>`).join('')}</ul></nav>
<main>
<h1>Holdfast service</h1>
<p>Send <code>Authorization: Bearer &lt;key&gt;</code> with every request, and JSON as the body. Every answer has the same envelope; <code>code</code> is the status:</p>
<pre>{"success": true, "code": 200, "message": "OK", "data": {}}</pre>
<p>The same for programs, as OpenAPI 3.1, is at <a href="/openapi.json">/openapi.json</a>. <a href="/health">/health</a> says whether the service works, and needs no key.</p>
${body.join('\n')}
<h2 id="errors">Errors</h2>
<p>An error has <code>success</code> false and one sentence as <code>message</code>; fields that are not valid are in <code>data.issues</code>, each with <code>path</code> and <code>message</code>.</p>
${errors()}
<h2 id="roles">Roles</h2>${matrix()}
</main></div></body></html>
`
}
