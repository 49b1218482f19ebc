import path from 'node:path'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

/**
 * Three projects: what runs in Node; the tests of the service, which share a PostgreSQL; and the page, whose components need a DOM and the browser
 * build of Svelte. End-to-end tests are Playwright's (playwright.config.ts).
 */
const shared = {
  // The files of a project share their worker's modules: to load all of it anew for each file took longer than most of the tests. A test that
  // changes something of its process (environment, timers, document) puts it back.
  isolate: false,
  // Generous on purpose: waiting costs nothing where it passes, and a busy machine takes many times what an idle one does.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
  // Native modules (SQLite, the keychain) want processes, not threads.
  pool: 'forks' as const,
  // Children that run the sources as they stand (the service, above all) compile them once, not once each.
  env: { NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, 'node_modules/.cache/holdfast-compile') },
}

const pinnedSeeds = 'test/fuzz/pinned-seeds.test.ts'

export default defineConfig({
  test: {
    // One more than the cores of a small machine: a test that waits for a process or a clock leaves its core to another.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...shared,
          name: 'node',
          environment: 'node',
          include: ['test/**/*.test.ts'],
          // The seeds that once broke a promise are played with the long tests: what each showed has a test of its own here.
          exclude: ['test/src/**', 'test/service/**', 'test/e2e/**', ...(process.env['HOLDFAST_UNIT'] === 'all' ? [] : [pinnedSeeds])],
        },
      },
      {
        test: {
          ...shared,
          name: 'service',
          environment: 'node',
          include: ['test/service/**/*.test.ts'],
          globalSetup: 'test/service/support/postgres-of-the-run.ts',
        },
      },
      {
        plugins: [svelte()],
        resolve: { conditions: ['browser'] },
        test: { ...shared, name: 'page', environment: 'happy-dom', include: ['test/src/**/*.test.ts'] },
      },
    ],
  },
})
