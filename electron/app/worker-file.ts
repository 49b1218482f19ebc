import { existsSync } from 'node:fs'

/**
 * Returns the file for a thread: an entry of the build, in the folder of the module `here` (its `import.meta.url`) or the one above;
 * otherwise the source. Null: neither exists.
 */
export const workerFile = (here: string, name: string, source = `./${name}.ts`): URL | null =>
  [`./${name}.cjs`, `../${name}.cjs`, source].map((path) => new URL(path, here)).find((url) => existsSync(url)) ?? null
