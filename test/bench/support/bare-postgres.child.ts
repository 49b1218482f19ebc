import Fastify from 'fastify'
import pg from 'pg'

/**
 * What the service on PostgreSQL is measured against: the same statements of one update, in a transaction, without the row of the clock that
 * orders commits. No key, no check of anything, no groups.
 */
const [url = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: url, max: 10 })
const app = Fastify()

app.patch<{ Params: { id: string }; Body: { value: string } }>('/variables/:id', async (request, reply) => {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query<Record<string, unknown>>('select * from variables where id = $1', [request.params.id])
    const [row] = rows
    if (row === undefined) throw new Error('no such variable')
    const at = new Date().toISOString()
    await client.query(
      'update variables set value = $1, seq = seq + 1, updated_at = $2, updated_by = $3 where workspace_id = $4 and id = $5',
      [request.body.value, at, row['updated_by'], row['workspace_id'], request.params.id],
    )
    await client.query(
      'insert into audit (workspace_id, id, at, actor, key_name, action, resource, resource_id, detail, request_id) values ($1, gen_random_uuid(), $2, $3, $3, $3, $3, $4, $5, $3)',
      [row['workspace_id'], at, 'bare', request.params.id, '{}'],
    )
    await client.query('commit')
    return await reply.header('content-type', 'application/json').send(JSON.stringify({ ...row, value: request.body.value }))
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
})

const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`${JSON.stringify({ url: address })}\n`)
process.stdin.resume().once('end', () => process.exit(0))
