import type { IncomingMessage } from 'node:http'
import { errorCodes as fastifyErrors } from 'fastify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ByteBlocks } from '../protocol/byte-blocks.ts'
import { errorCodes } from '../protocol/error-codes.ts'
import { bodyLimit, jsonDepthLimit, jsonValueLimit } from '../protocol/limits.ts'
import { Refusal } from '../store/refusal.ts'
import { announcedBytes } from './large-requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes as they came; '' without a body. */
    rawBody: Buffer | ''
  }
}

const sentences = {
  depth: `The body nests lists and objects more than ${jsonDepthLimit} deep.`,
  values: `The body has more than ${jsonValueLimit} values. Send less at once.`,
}
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Takes JSON in UTF-8 and nothing else. An empty body counts as none, whatever its type: many clients send a content type
 * with every request, and curl that of a form. Bad bytes, bad JSON and JSON beyond our limits are 400, other content types 415.
 */
export const takeJsonBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.decorateRequest('rawBody', '')
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['content-type'] !== undefined && announcedBytes(request) === 0) delete request.headers['content-type']
    done()
  })
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const whole = (bytes: Buffer) => take(request, bytes, done)
    readWhole(payload, request.headers['content-length'], whole, done)
  })
  const take = (request: FastifyRequest, bytes: Buffer, done: (error: Error | null, body?: unknown) => void): void => {
    if (bytes.length === 0) {
      done(null, undefined)
      return
    }
    const beyond = exceeded(bytes, { depth: jsonDepthLimit, values: jsonValueLimit })
    if (beyond !== null) {
      done(new Refusal(errorCodes.badRequest, sentences[beyond]))
      return
    }
    request.rawBody = bytes
    let text: string
    try {
      text = decoder.decode(bytes)
    } catch {
      done(new Refusal(errorCodes.badRequest, 'The body is not UTF-8 text.'))
      return
    }
    const refused = () => done(new Refusal(errorCodes.badRequest, 'The body is not well-formed JSON.'))
    // The parser calls back once and does not throw.
    void parse(request, text, (error, value) => (error === null ? done(null, value) : refused()))
  }
}

/** Reads a body to its end. Calls one of the two functions, once. `announced`: its Content-Length. */
const readWhole = (
  payload: IncomingMessage,
  announced: string | undefined,
  read: (bytes: Buffer) => void,
  refuse: (error: Error) => void,
): void => {
  const most = announced === undefined ? bodyLimit : Number(announced)
  if (most > bodyLimit) {
    refuse(new fastifyErrors.FST_ERR_CTP_BODY_TOO_LARGE())
    return
  }
  const body = new ByteBlocks(most)
  const settle = (then: () => void) => {
    payload.off('data', add).off('end', end).off('error', fail)
    then()
  }
  const add = (chunk: Buffer) => {
    if (!body.add(chunk)) settle(() => refuse(new fastifyErrors.FST_ERR_CTP_BODY_TOO_LARGE()))
  }
  const end = () =>
    settle(() => {
      if (announced !== undefined && body.size !== most) refuse(new fastifyErrors.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
      else read(Buffer.concat(body.blocks, body.size))
    })
  const fail = (error: Error) => settle(() => refuse(Object.assign(error, { statusCode: 400 })))
  payload.on('data', add).on('end', end).on('error', fail)
  payload.resume()
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
/** The one bit by which `[` differs from `{`, and `]` from `}`. */
const shape = 0x20
const opening = 0x5b | shape
const closing = 0x5d | shape

/** Index of the closing quote of the text that begins after `start`, or the end of the bytes. */
const endOfText = (bytes: Buffer, start: number): number => {
  for (let end = bytes.indexOf(quote, start); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let slashes = 0
    while (bytes[end - 1 - slashes] === backslash && end - 1 - slashes >= start) slashes++
    if (slashes % 2 === 0) return end
  }
  return bytes.length
}

interface JsonLimits {
  /** How deep lists and objects may be nested. */
  depth: number
  /** How many members and items there may be in all of them. */
  values: number
}

/**
 * What of these limits the bytes of JSON go beyond; null: nothing. They are judged without being parsed, which takes many times longer for
 * JSON of this kind than for any other of its size. Bytes that are no JSON are judged as far as they go.
 */
const exceeded = (bytes: Buffer, limits: JsonLimits): keyof JsonLimits | null => {
  let depth = 0
  let commas = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === quote) at = endOfText(bytes, at + 1)
    else if (byte === comma) {
      if (++commas >= limits.values) return 'values'
    } else if ((byte | shape) === opening) {
      if (++depth > limits.depth) return 'depth'
    } else if ((byte | shape) === closing) depth--
  }
  return null
}
