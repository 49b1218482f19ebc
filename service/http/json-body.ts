import type { FastifyInstance } from 'fastify'
import { errorCodes } from '../protocol/error-codes.ts'
import { bodyLimit, jsonDepthLimit, jsonValueLimit } from '../protocol/limits.ts'
import { Refusal } from '../store/refusal.ts'
import { exceeded } from './json-limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes as they came; null without a body. */
    rawBody: Buffer | null
  }
}

const sentences = {
  depth: `The body nests lists and objects more than ${jsonDepthLimit} deep.`,
  values: `The body has more than ${jsonValueLimit} values. Send less at once.`,
}
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Takes JSON in UTF-8 and nothing else. An empty body counts as none: many clients send a content type
 * with every request. Bad bytes, bad JSON and JSON beyond our limits are 400, other content types 415.
 */
export const takeJsonBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers()
  app.decorateRequest('rawBody', null)
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit }, (request, body, done) => {
    const bytes = body as Buffer
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
  })
}
