import { readFileSync } from 'node:fs'
import path from 'node:path'

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, '../../package.json'), 'utf8'),
)

/** The flags of V8 that `npm run service` gives Node. */
export const serviceFlags: readonly string[] = (scripts['service'] ?? '').split(' ').filter((word) => word.startsWith('--'))
