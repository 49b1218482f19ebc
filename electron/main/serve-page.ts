import { readFile } from 'node:fs/promises'
import type { Session } from 'electron'
import { pagePolicy, policyHeader } from '../shell/page-policy.ts'
import { pageScheme } from './page-address.ts'
import { pageFile } from './page-file.ts'

const headers = {
  'content-security-policy': policyHeader(pagePolicy([])),
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Serves the files below `root` to the pages of `session` as app://holdfast/…; everything else is a 404. */
export function servePage(session: Session, root: string): void {
  session.protocol.handle(pageScheme, async (request) => {
    const file = request.method === 'GET' ? pageFile(root, request.url) : null
    if (!file) return new Response(null, { status: 404 })
    try {
      return new Response(await readFile(file.path), { headers: { ...headers, 'content-type': file.type } })
    } catch {
      return new Response(null, { status: 404 })
    }
  })
}
