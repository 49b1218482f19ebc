import { existsSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Browser, type Page } from '@playwright/test'
import { disabledFeatures } from '../../../electron/main/harden-process.ts'
import { makeWorkspace, type Workspace } from '../../e2e/drivers/make-workspace.ts'
import { startHostProcess } from '../../e2e/drivers/start-in-browser.ts'
import { throughSocket } from '../../e2e/drivers/through-socket.ts'
import { browserOptions } from '../../support/find-browser.ts'
import { NotMeasuredError } from './row.ts'

/** Where the built page is. */
export const assets = path.resolve(import.meta.dirname, '../../../out/renderer')

/**
 * The built page (`npm run build` first) in Chromium as the desktop application starts it, from a host of its own on a data folder, without a keychain.
 * A `workspace` is made before the page is opened.
 */
export async function withBuiltPage<T>(
  dataDir: string,
  measure: (page: Page, browser: Browser) => Promise<T>,
  workspace?: Workspace,
): Promise<T> {
  if (!existsSync(assets)) throw new NotMeasuredError('run `npm run build` first: it is the built page that is measured.')
  const host = await startHostProcess({ dataDir, keychain: 'none', keepsSize: false })
  if (workspace !== undefined) await throughSocket(host.url, (bridge) => makeWorkspace(bridge, dataDir, workspace))
  const url = workspace === undefined ? host.url : await host.nextUrl()
  const browser = await chromium.launch({ ...(await browserOptions()), args: [`--disable-features=${disabledFeatures}`] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await page.goto(url)
    return await measure(page, browser)
  } finally {
    await browser.close()
    await host.end('SIGTERM')
  }
}

/** Milliseconds from a click on an element to the frame after which another one is drawn. */
export const frameAfter = (page: Page, press: string, drawn: string): Promise<number> =>
  page.evaluate(
    async ([from, to]) => {
      const begun = performance.now()
      document.querySelector<HTMLElement>(from ?? '')?.click()
      do {
        if (performance.now() - begun > 10_000) throw new Error(`${to} is not drawn.`)
        await new Promise((done) => requestAnimationFrame(done))
      } while (document.querySelector(to ?? '') === null)
      await new Promise<void>((done) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done()
        port2.postMessage(null)
      })
      return performance.now() - begun
    },
    [press, drawn],
  )
