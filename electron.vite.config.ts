import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'
import type { PreprocessorGroup } from 'svelte/compiler'
import packageJson from './package.json' with { type: 'json' }

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Node and Chromium below the ones we ship, so that one build also runs on older runtimes (see docs/decisions.md). */
const node = 'node20.18'
const chromium = 'chrome130'
/** Without Electron, the page opens in the browser of its user: their styles need more prefixes. */
const browsers = [chromium, 'firefox140', 'safari18']

const { dependencies } = packageJson
const native = new Set(['better-sqlite3', '@napi-rs/keyring'])

const mainEntries = {
  index: here('electron/main/index.ts'),
  host: here('electron/host/run-host.ts'),
  service: here('service/worker.ts'),
  'check-worker': here('electron/app/workspaces/check-worker.ts'),
  'read-import-worker': here('electron/app/imports/read-import-worker.ts'),
  'repair-worker': here('electron/app/repair/repair-worker.ts'),
}

/** The SHA-256 of each native module that is packaged, by its path. */
const nativeModules = (): Record<string, string> => {
  const files = globSync(['node_modules/better-sqlite3/{prebuilds,build/Release}/*.node', 'node_modules/@napi-rs/keyring-*/*.node'], {
    cwd: here('.'),
  })
  const hashOf = (file: string) =>
    createHash('sha256')
      .update(readFileSync(here(file)))
      .digest('hex')
  return Object.fromEntries(files.map((file) => [file.replaceAll('\\', '/'), hashOf(file)]))
}

/** Every thread of the main process checks native modules: before anything else of an entry, this is imported. */
const checkNativeModules = {
  name: 'check-native-modules',
  transform: (code: string, id: string) =>
    Object.values(mainEntries).includes(id) ? `import ${JSON.stringify(here('electron/main/check-native-modules.ts'))}\n${code}` : null,
}

/**
 * The package `glob` is a quarter of the host's own script, and loading it takes a twentieth of its start. @fastify/static uses it only with
 * `wildcard: false`.
 */
const withoutGlob = {
  name: 'without-glob',
  enforce: 'pre' as const,
  resolveId: (id: string, importer?: string) =>
    id === 'glob' && importer?.includes('/@fastify/static/') === true ? '\0without-glob' : null,
  load: (id: string) => (id === '\0without-glob' ? `export const glob = () => { throw new Error('The build has no glob.') }` : null),
}

/**
 * Icons as plain markup that takes `size` and `strokeWidth` alone. The package builds each from data, element by element, wherever one is drawn: in a
 * table of them that was half of all its work.
 */
const plainIcons: PreprocessorGroup = {
  name: 'plain-icons',
  markup: ({ content, filename = '' }) => {
    if (!filename.includes('/@lucide/svelte/dist/icons/')) return
    const data = /const iconData = (.+);\n/.exec(content)?.[1]
    if (data === undefined) throw new Error(`${filename} has no icon in it as this version of the package keeps them.`)
    const { node }: { node: [string, Record<string, string>][] } = JSON.parse(data)
    const shapes = node.map(([tag, attributes]) => {
      const written = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)
      return `<${tag} ${written.join(' ')} />`
    })
    const code = `<script>let { size = 24, strokeWidth = 2 } = $props()</script>
<svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width={strokeWidth} stroke-linecap="round"
  stroke-linejoin="round" aria-hidden="true">${shapes.join('')}</svg>`
    return { code }
  },
}

export default defineConfig(({ mode }) => ({
  main: {
    // `npm run package` builds for users (electron/main/index.ts).
    define: {
      HOLDFAST_SHIPPED: JSON.stringify(mode === 'shipped'),
      HOLDFAST_NATIVE_MODULES: JSON.stringify(mode === 'shipped' && process.platform !== 'darwin' ? nativeModules() : null),
    },
    plugins: [checkNativeModules, withoutGlob],
    build: {
      target: node,
      // Packages of hundreds of small files, which take longer to find and open than to run. Native ones stay outside.
      externalizeDeps: { exclude: Object.keys(dependencies).filter((name) => !native.has(name)) },
      rolldownOptions: {
        // An `import` of node:http would read all its exports, and load Node's fetch with them, at every start.
        output: {
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunks/[name]-[hash].cjs',
          // V8 keeps the source text: two bytes a character where any of them is not ASCII.
          charset: 'ascii',
          comments: { jsdoc: false },
        },
        input: mainEntries,
      },
    },
  },
  preload: {
    build: {
      target: node,
      // A sandboxed preload is CommonJS and can require nothing but electron.
      externalizeDeps: false,
      rolldownOptions: { input: here('electron/preload/index.ts'), output: { format: 'cjs', entryFileNames: 'index.cjs' } },
    },
  },
  renderer: {
    root: 'src',
    base: './',
    plugins: [svelte({ configFile: false, preprocess: plainIcons })],
    build: {
      target: chromium,
      cssTarget: browsers,
      minify: true,
      emptyOutDir: true,
      // Fonts stay files: the page's policy takes no data: fonts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: here('src/index.html'),
        // Four scripts, not a hundred: a request costs more than most screens and dialogs weigh. The first page holds nothing that only a later one needs.
        output: {
          codeSplitting: {
            groups: [
              { name: 'first', tags: ['$initial'], priority: 3 },
              { name: 'start', test: /features[\\/](start|unlock)[\\/]/, priority: 2 },
              { name: 'code-view', test: /[\\/]code-view\.ts$/, priority: 1 },
              { name: 'later', test: /./ },
            ],
          },
        },
      },
    },
  },
}))
