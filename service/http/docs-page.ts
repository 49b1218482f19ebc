import type { Endpoint } from './endpoint.ts'
import { roleIds, rolePermissions } from '../protocol/roles.ts'

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
}

/** What a schema takes, in a word or two. */
const typeOf = (schema: Schema): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' | ')
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`
  const type = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'any')
  return schema.format === undefined ? type : `${type} (${schema.format})`
}

const fieldsOf = (schema: Schema): string => {
  const object = schema.properties === undefined ? (schema.anyOf ?? []).find(({ properties }) => properties !== undefined) : schema
  const properties = Object.entries(object?.properties ?? {})
  if (properties.length === 0) return '<p class="none">none</p>'
  const required = new Set(object?.required ?? [])
  const rows = properties.map(
    ([name, field]) =>
      `<tr><th scope="row"><code>${escape(name)}</code></th><td>${escape(typeOf(field))}</td><td>${required.has(name) ? 'required' : 'optional'}</td></tr>`,
  )
  return `<table>${rows.join('')}</table>`
}

interface Operation {
  requestBody?: { content?: Record<string, { schema?: Schema }> }
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>
}

export interface OpenApiDocument {
  paths?: Record<string, Record<string, unknown> | undefined> | undefined
}

const section = (endpoint: Endpoint, operation: Operation): string => {
  const id = `${endpoint.method}${endpoint.path}`.replace(/[^A-Za-z]+/g, '-').toLowerCase()
  const body = operation.requestBody?.content?.['application/json']?.schema
  const answer = operation.responses?.[String(endpoint.status)]?.content?.['application/json']?.schema?.properties?.['data']
  return `<section id="${id}">
<h2><a href="#${id}"><span class="method">${endpoint.method}</span> <code>${escape(endpoint.path)}</code></a></h2>
<p>${escape(endpoint.summary)}. Needs <code>${endpoint.may}</code>. Answers ${endpoint.status} “${escape(endpoint.message)}”.</p>
<details><summary>Body and data</summary>
<h3>Body</h3>${body === undefined ? '<p class="none">none</p>' : fieldsOf(body)}
<h3>Data</h3>${answer === undefined ? '<p class="none">none</p>' : fieldsOf(answer)}
</details></section>`
}

const matrix = (): string => {
  const head = roleIds.map((role) => `<th scope="col">${role}</th>`).join('')
  const rows = rolePermissions.owner.map(
    (permission) =>
      `<tr><th scope="row"><code>${permission}</code></th>${roleIds.map((role) => `<td>${rolePermissions[role].includes(permission) ? 'yes' : ''}</td>`).join('')}</tr>`,
  )
  return `<table><tr><td></td>${head}</tr>${rows.join('')}</table>`
}

/** The only style of the page; its hash goes into the Content-Security-Policy. */
export const docsStyle = `:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code{font:13px ui-monospace,monospace}h2{font-size:1rem;margin:1.5rem 0 0}h2 a{color:inherit;text-decoration:none}
.method{display:inline-block;min-width:4.5rem;font-weight:700}.none{opacity:.7}table{border-collapse:collapse}
th,td{text-align:left;padding:.15rem .75rem .15rem 0;font-weight:400;vertical-align:top}h3{font-size:.85rem;margin:.5rem 0 0}`

/** One page that a person can read: every endpoint with its fields, and the roles. It loads nothing from anywhere. */
export const docsPage = (endpoints: readonly Endpoint[], document: OpenApiDocument): string => {
  const sections = endpoints.map((endpoint) =>
    section(endpoint, (document.paths?.[endpoint.path]?.[endpoint.method.toLowerCase()] ?? {}) as Operation),
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Holdfast service</title>
<style>${docsStyle}</style></head><body>
<h1>Holdfast service</h1>
<p>Send <code>Authorization: Bearer &lt;key&gt;</code>. Bodies are JSON. The machine-readable description is at <a href="/openapi.json">/openapi.json</a>.</p>
${sections.join('\n')}
<h2 id="roles">Roles</h2>${matrix()}
</body></html>
`
}
