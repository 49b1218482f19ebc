import { existsSync } from 'node:fs'

/**
 * The file that a thread of this process runs: an entry of the build, beside or above the module at `here` (its `import.meta.url`), else the
 * source. Null: neither exists.
 */
export const workerFile = (here: string, name: string, source = `./${name}.ts`): URL | null =>
  [`./${name}.cjs`, `../${name}.cjs`, source].map((path) => new URL(path, here)).find((url) => existsSync(url)) ?? null
