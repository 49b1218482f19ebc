import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorCodes } from '../protocol/error-codes.ts'
import { Refusal } from '../store/refusal.ts'
import { answerHeaders } from './answer-headers.ts'
import { failureBody } from './error-answer.ts'

const tooSlow = () => new Refusal(errorCodes.timeout, 'The request took too long to arrive. Nothing was done.')

const noHost = () => new Refusal(errorCodes.badRequest, 'The request has no Host header.')

/** The answer to an error that Node found in a request; null: the client has disconnected. */
const refusalOf = ({ code = '' }: NodeJS.ErrnoException): Refusal | null => {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow()
  if (code === 'HPE_HEADER_OVERFLOW') return new Refusal(errorCodes.headersTooLarge, 'The headers of the request are larger than 16 KiB.')
  return code.startsWith('HPE_') ? new Refusal(errorCodes.badRequest, 'The request is not well-formed HTTP.') : null
}

/** The whole answer to a request whose headers could not be read. */
const answerText = ({ code, message }: Refusal, requestId: string): string => {
  const body = JSON.stringify(failureBody(code, message))
  const headers = {
    ...answerHeaders,
    'x-request-id': requestId,
    date: new Date().toUTCString(),
    connection: 'close',
    'content-length': Buffer.byteLength(body),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${code} ${STATUS_CODES[code]}\r\n${lines.join('')}\r\n${body}`
}

/** Answers the requests that Node refuses by itself: those that aren't HTTP, have headers that are too long, or arrive too slowly. */
export interface ClientErrors {
  /** For Fastify's `clientErrorHandler`. */
  handle(error: NodeJS.ErrnoException, socket: Socket): void
  /** Follows the requests of a service, also those that Node would refuse without a body. */
  watch(app: FastifyInstance): void
}

export const createClientErrors = (nextRequestId: () => string, log: FastifyBaseLogger | undefined): ClientErrors => {
  /** The last request of each connection whose headers were read. */
  const latest = new WeakMap<Socket, { request: FastifyRequest; reply: FastifyReply }>()

  /** Makes the body that is being read fail, which is answered as each other error of a body. False: no body is being read. */
  const failBody = (socket: Socket, refusal: Refusal): boolean => {
    const { request: { raw } = {} } = latest.get(socket) ?? {}
    return raw !== undefined && !raw.complete && raw.listenerCount('error') > 0 && raw.emit('error', refusal)
  }

  /** The id of the request that is refused; null: it has its answer, or an answer would be taken for that of the request before it. */
  const refusedId = (socket: Socket): string | null => {
    const { request, reply } = latest.get(socket) ?? {}
    if (request === undefined || reply === undefined || (request.raw.complete && reply.raw.writableFinished)) return nextRequestId()
    return request.raw.complete || reply.raw.headersSent ? null : request.id
  }

  return {
    handle: (error, socket) => {
      const refusal = socket.writable ? refusalOf(error) : null
      if (refusal !== null) {
        if (failBody(socket, refusal)) return
        const reqId = refusedId(socket)
        if (reqId !== null) {
          socket.write(answerText(refusal, reqId))
          log?.info({ reqId, status: refusal.code }, 'refused')
        }
      }
      socket.destroySoon()
    },
    watch: (app) => {
      app.addHook('onRequest', (request, reply, done) => {
        latest.set(request.raw.socket, { request, reply })
        const { headers, httpVersion } = request.raw
        done(headers.host === undefined && httpVersion === '1.1' ? noHost() : undefined)
      })
      // Node would answer 417 without a body.
      app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response))
      app.server.on('timeout', (socket: Socket) => {
        if (!failBody(socket, tooSlow())) socket.destroy()
      })
    },
  }
}
