import type { Fault, ReadRequest } from '../support/fault-proxy.ts'
import type { Dice } from './dice.ts'

const megabyte = 1024 * 1024
const json = { 'content-type': 'application/json' }
const inEnvelope = (data: string) => `{"success":true,"code":200,"message":"OK","data":${data}}`

/** Bodies that no service gives. None of them holds a record that could be taken for one. */
const bodies: readonly (() => string)[] = [
  () => '['.repeat(20 * megabyte),
  () => '{"a":'.repeat(2 * megabyte),
  () => inEnvelope(`[${'[],'.repeat(5 * megabyte)}[]]`),
  () => inEnvelope(`"${'a'.repeat(20 * megabyte)}"`),
  () => inEnvelope(`{"items":[${'{"id":7},'.repeat(100_000)}{}],"nextCursor":null}`),
  () => inEnvelope('{"items":"none","nextCursor":{}}'),
  () => '<html><script>alert(1)</script>',
  () => '',
  () => '\0'.repeat(1000),
]

/** A service that lies, for requests of the application: a rule for the proxy before it. Refusals that a user would have to look at are left out. */
export const tampering =
  (dice: Dice, rate: number) =>
  (request: ReadRequest): Fault => {
    if (!dice.chance(rate)) return 'none'
    const kind = dice.below(8)
    if (kind === 0) return dice.pick(['drop-before', 'drop-after', 'cut-answer'])
    if (kind === 1) return { delayMs: dice.below(3000) }
    if (kind === 2) {
      const location = dice.pick(['http://127.0.0.1:1/', 'file:///etc/passwd', request.url])
      return { replace: { status: dice.pick([301, 302, 307, 308]), headers: { location } } }
    }
    if (kind === 3)
      return { replace: { status: dice.pick([429, 500, 502, 503]), headers: { ...json, 'retry-after': '1' }, body: dice.pick(bodies)() } }
    const answer = { status: 200, headers: json, body: dice.pick(bodies)() }
    return dice.chance(0.5) ? { replace: answer } : { replaceAfter: answer }
  }
