import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { formatWorkspaceKey } from '../../../electron/cipher/workspace-key.ts'
import { withBuiltPage } from './built-page.ts'
import { withService, workspaceKey } from './data-set.ts'
import { ask } from './servers.ts'

/**
 * The built page in a browser, over a workspace of 100 environments of 1,000 variables whose service runs: mirrored, and open at the first of them, which
 * has a version.
 */
export const withLargeWorkspace = <T>(measure: (page: Page, browser: Browser) => Promise<T>): Promise<T> =>
  withService(100, 1000, async (service, folder) => {
    await ask(service, 'POST', '/projects/app/environments/env-0/versions', { label: 'first' })
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const whenMirrored = async (page: Page, browser: Browser): Promise<T> => {
      await page.locator('[data-testid="sync-pill"][data-state-sync="synced"]').waitFor({ timeout: 300_000 })
      return measure(page, browser)
    }
    return withBuiltPage(dataDir, whenMirrored, { service, key: formatWorkspaceKey(workspaceKey()) })
  })
