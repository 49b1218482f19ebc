import { hash, timingSafeEqual } from 'node:crypto'
import Database from 'better-sqlite3'
import Fastify from 'fastify'

/**
 * What the service is measured against: Fastify with one route for each operation that checks the key as the service does, runs the same
 * statements and JSON.stringify, and nothing else. No check of a right, a path or a body, no limits, no log, no audit entry, no answer's headers.
 */
const [file = ''] = process.argv.slice(2)
const database = new Database(file)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.pragma('foreign_keys = ON')

const app = Fastify()
const workspace = database.prepare('select id from workspaces').pluck().get() as string

const readKey = database.prepare(
  'select keys.id, hash, expires_at, revoked_at, role_id from keys join members on members.workspace_id = keys.workspace_id and members.id = member_id where keys.id = ?',
)
interface Key {
  id: string
  hash: string
  expires_at: string | null
  revoked_at: string | null
}
/** The keys that were read, each for a second, as the service keeps them. */
const known = new Map<string, { key: Key; hash: Buffer; readAt: number }>()
const isValid = (text: string, now: number): boolean => {
  const id = text.slice('hf_'.length, 'hf_'.length + 16)
  let found = known.get(id)
  if (found === undefined || now - found.readAt >= 1000) {
    const key = readKey.get(id) as Key | undefined
    if (key === undefined) return false
    found = { key, hash: Buffer.from(key.hash, 'hex'), readAt: now }
    known.set(id, found)
  }
  const { revoked_at, expires_at } = found.key
  return (
    timingSafeEqual(found.hash, hash('sha256', text, 'buffer')) &&
    revoked_at === null &&
    (expires_at === null || Date.parse(expires_at) > now)
  )
}
app.addHook('onRequest', (request, _reply, done) => {
  const key = request.headers.authorization?.slice('Bearer '.length)
  done(key !== undefined && isValid(key, Date.now()) ? undefined : new Error('not a valid key'))
})

const readOne = database.prepare(
  'select * from variables where workspace_id = ? and environment_id = (select environments.id from environments where workspace_id = ? and project_id = (select projects.id from projects where workspace_id = ? and slug = ?) and environments.slug = ?) and name = ?',
)
app.get<{ Params: { slug: string; environmentSlug: string; name: string } }>(
  '/projects/:slug/environments/:environmentSlug/variables/:name',
  (request, reply) => {
    const { slug, environmentSlug, name } = request.params
    return reply
      .header('content-type', 'application/json')
      .send(JSON.stringify(readOne.get(workspace, workspace, workspace, slug, environmentSlug, name)))
  },
)

const readEnvironment = database.prepare(
  'select * from environments where workspace_id = ? and project_id = (select projects.id from projects where workspace_id = ? and slug = ?) and slug = ?',
)
const readPage = database.prepare(
  'select * from variables where workspace_id = ? and environment_id = ? and ordinal > ? order by ordinal limit cast(? as integer)',
)
app.get<{ Params: { slug: string; environmentSlug: string } }>(
  '/projects/:slug/environments/:environmentSlug/variables',
  (request, reply) => {
    const environment = readEnvironment.get(workspace, workspace, request.params.slug, request.params.environmentSlug) as { id: string }
    return reply.header('content-type', 'application/json').send(JSON.stringify(readPage.all(workspace, environment.id, 0, 1000)))
  },
)

const readById = database.prepare('select * from variables where workspace_id = ? and id = ?')
const update = database.prepare(
  'update variables set name = ?, value = ?, type = ?, is_secret = ?, seq = ?, updated_at = ?, updated_by = ? where workspace_id = ? and id = ?',
)
const moveClock = database.prepare('update clock set seq = seq + 1 returning seq')
const updateOne = database.transaction((id: string, value: string) => {
  const row = readById.get(workspace, id) as { name: string; type: string; is_secret: number; updated_by: string }
  const clock = moveClock.get() as { seq: number }
  update.run(row.name, value, row.type, row.is_secret, clock.seq, new Date().toISOString(), row.updated_by, workspace, id)
  return { ...row, value }
})
app.patch<{ Params: { id: string }; Body: { value: string } }>('/variables/:id', (request, reply) =>
  reply.header('content-type', 'application/json').send(JSON.stringify(updateOne.immediate(request.params.id, request.body.value))),
)

const marks = Array.from({ length: 200 }, () => '?').join(', ')
const findNames = database.prepare(`select id, name from variables where workspace_id = ? and environment_id = ? and name in (${marks})`)
const deleteIds = database.prepare(`delete from variables where workspace_id = ? and id in (${marks})`)
const bury = database.prepare(
  `insert into tombstones (workspace_id, seq, resource, id, at) values ${Array.from({ length: 200 }, () => `(?, ?, 'variable', ?, '')`).join(', ')}`,
)
const moveClockBy = database.prepare('update clock set seq = seq + 200 returning seq')
const deleteMany = database.transaction((environmentId: string, names: string[]) => {
  const rows = findNames.all(workspace, environmentId, ...names) as { id: string; name: string }[]
  const ids = rows.map(({ id }) => id)
  deleteIds.run(workspace, ...ids)
  const clock = moveClockBy.get() as { seq: number }
  bury.run(...ids.flatMap((id, index) => [workspace, clock.seq - index, id]))
  return rows
})
app.delete<{ Params: { slug: string; environmentSlug: string }; Body: { names: string[] } }>(
  '/projects/:slug/environments/:environmentSlug/variables',
  (request, reply) => {
    const environment = readEnvironment.get(workspace, workspace, request.params.slug, request.params.environmentSlug) as { id: string }
    return reply.header('content-type', 'application/json').send(JSON.stringify(deleteMany.immediate(environment.id, request.body.names)))
  },
)

const readChanges = database.prepare(
  'select * from variables where workspace_id = ? and seq > ? and seq <= ? order by seq limit cast(? as integer)',
)
const readClock = database.prepare('select seq, epoch from clock')
app.get<{ Querystring: { from: string } }>('/changes', (request, reply) => {
  const clock = readClock.get() as { seq: number }
  return reply
    .header('content-type', 'application/json')
    .send(JSON.stringify(readChanges.all(workspace, Number(request.query.from), clock.seq, 1000)))
})

const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${JSON.stringify({ url })}\n`)
process.stdin.resume().once('end', () => process.exit(0))
