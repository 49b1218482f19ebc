import path from 'node:path'
import { defineConfig } from '@playwright/test'
import { runsAll } from './test/e2e/runs-all.ts'
import { browserOptions } from './test/support/find-browser.ts'

/**
 * End-to-end specs on two drivers: the browser host opened in a browser, and the built application in Electron. The browser runs all,
 * Electron those tagged `@shell`; with HOLDFAST_E2E=all both run everything. `npx playwright test --project=browser` runs one driver.
 */
// Hosts, services and the threads of local workspaces compile their sources once, not once each.
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, 'node_modules/.cache/holdfast-compile')

export default defineConfig<{ driver: 'browser' | 'electron' }>({
  testDir: 'test/e2e',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  // One more than the two cores of a small machine: a test waits for the screen, a clock or a disk half of its time.
  workers: 3,
  // A screen on a busy machine: what fails once and then passes is not hidden but named as flaky, with its picture, and counted apart.
  retries: 1,
  forbidOnly: true,
  // Generous on purpose: waiting costs nothing where it passes, and a busy machine takes many times what an idle one does.
  timeout: 900_000,
  expect: { timeout: 30_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1280, height: 800 },
    actionTimeout: 30_000,
    screenshot: 'only-on-failure',
    launchOptions: {
      timeout: 180_000,
      ...(await browserOptions()),
    },
  },
  projects: [
    // What concerns Electron alone is no specification of the browser host.
    {
      name: 'browser',
      testIgnore: ['**/package.spec.ts', '**/window.spec.ts', '**/clipboard-timer.spec.ts'],
      // Pictures of every screen, and minutes that have to pass.
      ...(runsAll ? {} : { grepInvert: /@long/ }),
      use: { driver: 'browser' },
    },
    {
      name: 'electron',
      // Which server it is makes no difference to the shell; Chromium takes authorities from the desktop's own store, which no variable names.
      testIgnore: ['**/browser.spec.ts', '**/servers.spec.ts', '**/certificates.spec.ts'],
      // What a shell can do otherwise, and one walk through all screens.
      ...(runsAll ? { grepInvert: /@browser/ } : { grep: /@shell/, grepInvert: /@long/ }),
      use: { driver: 'electron' },
    },
  ],
})
