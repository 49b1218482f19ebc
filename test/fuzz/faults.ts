import type { Dice } from './dice.ts'

/**
 * What the network does with one request. before: it never arrives. after: the service acts and the answer is lost.
 * late: it arrives when its sender has long given up. twice: it arrives two times.
 */
export type Fault =
  | 'none'
  | 'offline'
  | 'before'
  | 'after'
  | 'late'
  | 'twice'
  | 'failed-before'
  | 'failed-after'
  | 'busy'
  | 'refused'
  | 'html'
  | 'html-after'
  | 'truncated'

const weights: Record<Fault, number> = {
  none: 60,
  offline: 4,
  before: 6,
  after: 8,
  late: 5,
  twice: 4,
  'failed-before': 3,
  'failed-after': 3,
  busy: 3,
  refused: 2,
  html: 1,
  'html-after': 2,
  truncated: 3,
}

export const drawFault = (dice: Dice): Fault => dice.weighted(weights)

const broken = (code: string) => Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(code), { code }) })

const html = () => new Response('<html><body>Bad gateway</body></html>', { status: 200, headers: { 'content-type': 'text/html' } })

const failed = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ success: false, code: status, message: 'Something failed.', data: {} }, { status, headers })

/** Carries a fault out. `later` takes what arrives when nobody waits for it any more. */
export async function withFault(
  fault: Fault,
  forward: () => Promise<Response>,
  later: (send: () => Promise<Response>) => void,
): Promise<Response> {
  switch (fault) {
    case 'none':
      return forward()
    case 'offline':
      throw broken('ECONNREFUSED')
    case 'before':
      throw broken('ECONNRESET')
    case 'after':
      await forward()
      throw broken('ECONNRESET')
    case 'late':
      later(forward)
      throw broken('UND_ERR_HEADERS_TIMEOUT')
    case 'twice':
      await forward()
      return forward()
    case 'failed-before':
      return failed(500)
    case 'failed-after':
      await forward()
      return failed(502)
    case 'busy':
      return failed(429, { 'retry-after': '7' })
    case 'refused':
      return failed(422)
    case 'html':
      return html()
    case 'html-after':
      await forward()
      return html()
    case 'truncated': {
      const answer = await forward()
      const text = await answer.text()
      return new Response(text.slice(0, Math.floor(text.length / 2)), { status: answer.status, headers: answer.headers })
    }
  }
}
