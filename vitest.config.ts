import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

/**
 * Two projects: everything that runs in Node, and the page, whose components need a DOM and the
 * browser build of Svelte. End-to-end tests are Playwright's (playwright.config.ts).
 */
const shared = {
  // Generous on purpose: waiting costs nothing where it passes, and a busy machine takes many times what an idle one does.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
  // Native modules (SQLite, the keychain) want a process each.
  pool: 'forks' as const,
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...shared, name: 'node', environment: 'node', include: ['test/**/*.test.ts'], exclude: ['test/src/**', 'test/e2e/**'] } },
      {
        plugins: [svelte()],
        resolve: { conditions: ['browser'] },
        test: { ...shared, name: 'page', environment: 'happy-dom', include: ['test/src/**/*.test.ts'] },
      },
    ],
  },
})
