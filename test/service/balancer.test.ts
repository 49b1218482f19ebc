import { createServer, request } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { client } from './support/client.ts'
import { createDatabase } from './support/create-database.ts'
import { runService } from './support/run-service.ts'
import { devPath, makeEnvironment, readVariables, sealed } from './support/samples.ts'
import { placeOptions } from './support/place-options.ts'

const writers = 16
const writesOfEach = 25
const retries = 1

/** A balancer that sends each request to the next process, answers 502 where it is gone, and sends it no more. */
const startBalancer = async (targets: readonly string[]): Promise<{ url: string; server: Server }> => {
  let turn = 0
  const gone = new Set<string>()
  const server = createServer((incoming, outgoing) => {
    const live = targets.filter((one) => !gone.has(one))
    const target = live[turn++ % live.length] ?? ''
    const { hostname, port } = new URL(target)
    const forwarded = request({ hostname, port, method: incoming.method, path: incoming.url, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
      answer.on('error', () => {
        gone.add(target)
        outgoing.destroy()
      })
    })
    forwarded.on('error', () => {
      gone.add(target)
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502, { 'content-type': 'application/json' }).end('{}')
    })
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

test('of two processes behind a balancer one is killed under load: nothing is lost, and one retry is enough', async () => {
  const options = [...placeOptions({ databaseUrl: await createDatabase() }), '--log-level', 'silent', '--requests-per-minute', '0']
  const first = await runService(...options)
  const second = await runService(...options)
  const { url, server } = await startBalancer([first.url, second.url])
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await Promise.all([first.stop(), second.stop()])
  })
  const call = client(url, first.apiKey ?? '')
  await makeEnvironment(call)

  let answered = 0
  let failures = 0
  let isKilled = false
  const outcomes: number[] = []
  const write = async (name: string) => {
    const send = () =>
      call('POST', `${devPath}/variables`, { name, value: sealed(name) }, { 'idempotency-key': name }).then(
        ({ status }) => status,
        () => 0,
      )
    let status = await send()
    for (let retry = 0; retry < retries && (status === 0 || status >= 500); retry++) {
      failures++
      status = await send()
    }
    outcomes.push(status)
    answered++
    if (answered === (writers * writesOfEach) / 4) isKilled = first.child.kill('SIGKILL')
  }
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let turn = 0; turn < writesOfEach; turn++) await write(`W${writer}_${turn}`)
    }),
  )
  expect(isKilled).toBe(true)
  // Without a failure there would be nothing to prove.
  expect(failures).toBeGreaterThan(0)
  expect(new Set(outcomes)).toEqual(new Set([201]))
  const kept = await readVariables(client(second.url, first.apiKey ?? ''))
  expect(kept.size).toBe(writers * writesOfEach)
})
