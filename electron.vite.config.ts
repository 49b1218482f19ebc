import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'
import packageJson from './package.json' with { type: 'json' }

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Node and Chromium below the ones we ship, so that one build also runs on older runtimes (see ARCHITECTURE.md). */
const node = 'node20.18'
const chromium = 'chrome130'

const { dependencies } = packageJson
const native = new Set(['better-sqlite3', '@napi-rs/keyring'])

export default defineConfig(({ mode }) => ({
  main: {
    // `npm run package` builds for users (electron/main/is-shipped.ts).
    define: { HOLDFAST_SHIPPED: JSON.stringify(mode === 'shipped') },
    build: {
      target: node,
      // Packages of hundreds of small files, which take longer to find and open than to run. Native ones stay outside.
      externalizeDeps: { exclude: Object.keys(dependencies).filter((name) => !native.has(name)) },
      rolldownOptions: {
        // An `import` of node:http would read all its exports, and load Node's fetch with them, at every start.
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' },
        input: {
          index: here('electron/main/index.ts'),
          host: here('electron/host/run-host.ts'),
          service: here('service/worker.ts'),
          'check-worker': here('electron/app/workspaces/check-worker.ts'),
          'read-import-worker': here('electron/app/imports/read-import-worker.ts'),
          'repair-worker': here('electron/app/repair/repair-worker.ts'),
        },
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
    plugins: [svelte({ configFile: false })],
    build: {
      target: chromium,
      minify: true,
      emptyOutDir: true,
      // Fonts stay files: the page's policy takes no data: fonts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: here('src/index.html') },
    },
  },
}))
