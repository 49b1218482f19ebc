import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'electron-vite'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Node and Chromium below the ones we ship, so that one build also runs on older runtimes (see ARCHITECTURE.md). */
const node = 'node20.18'
const chromium = 'chrome130'

export default defineConfig(({ mode }) => ({
  main: {
    // `npm run package` builds for users (electron/main/is-shipped.ts).
    define: { HOLDFAST_SHIPPED: JSON.stringify(mode === 'shipped') },
    build: {
      target: node,
      // Packages of hundreds of small files, which take longer to find and open than to run. Native ones and pino, which starts a file by its path, stay outside.
      externalizeDeps: {
        exclude: ['kysely', 'zod', 'uuid', 'fastify', 'fastify-type-provider-zod', '@fastify/swagger', '@fastify/helmet'],
      },
      rolldownOptions: {
        input: {
          index: here('electron/main/index.ts'),
          service: here('service/worker.ts'),
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
