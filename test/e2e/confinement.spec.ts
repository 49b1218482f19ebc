import { expect, test } from './fixtures.ts'
import { look } from './steps/look.ts'
import { serveElsewhere } from './steps/serve-elsewhere.ts'

/** What the two drivers promise differs in form: a window stays where it is, a tab that strayed gets nothing. */

test('the page is confined to itself and its application', { tag: '@shell' }, async ({ app, driver }) => {
  const { page } = app

  await test.step('the page knows nothing of Node, and reaches the application by three functions or a socket', async () => {
    const seen = await page.evaluate(() => ({
      node: ['require', 'process', 'module', 'global', 'Buffer'].filter((name) => name in globalThis),
      bridge: 'holdfast' in window ? Object.keys(window.holdfast as object).sort() : null,
    }))
    expect(seen).toEqual({ node: [], bridge: driver === 'electron' ? ['command', 'onPush', 'query'] : null })
  })

  await test.step('the page reaches no address but its own, and runs no text as code', async () => {
    const elsewhere = await serveElsewhere((path, response) => {
      const isScript = path === '/script.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'image/svg+xml')
      response.end(isScript ? '' : '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')
    })
    const outcome = await page.evaluate(async (origin) => {
      const outcomeOf = (promise: Promise<unknown>) =>
        promise.then(
          () => 'reached',
          () => 'refused',
        )
      const load = (element: HTMLImageElement | HTMLScriptElement, src: string) =>
        outcomeOf(
          new Promise((resolve, reject) => {
            element.addEventListener('load', resolve)
            element.addEventListener('error', reject)
            element.src = src
            document.head.append(element)
          }),
        )
      const run = () => {
        try {
          // The point of the test: text must not become code.
          // oxlint-disable-next-line typescript/no-implied-eval
          return Function('return "ran"')() as string
        } catch {
          return 'refused'
        }
      }
      return {
        fetch: await outcomeOf(fetch(`${origin}/data`)),
        file: await outcomeOf(fetch('file:///etc/hostname')),
        image: await load(new Image(), `${origin}/image.svg`),
        script: await load(document.createElement('script'), `${origin}/script.js`),
        module: await outcomeOf(import(`${origin}/script.js`)),
        code: run(),
      }
    }, elsewhere.origin)
    elsewhere.close()
    expect(elsewhere.asked).toEqual([])
    expect(outcome).toEqual({ fetch: 'refused', file: 'refused', image: 'refused', script: 'refused', module: 'refused', code: 'refused' })
  })

  await test.step('text does not become markup', async () => {
    const outcome = await page.evaluate(() => {
      try {
        document.createElement('div').innerHTML = '<b>x</b>'
        return 'written'
      } catch (error) {
        return error instanceof TypeError ? 'refused' : 'failed'
      }
    })
    expect(outcome).toBe('refused')
  })

  await test.step('permissions are refused, and the title names nothing', async () => {
    expect(await page.title()).toBe('Holdfast')
    const asked = await page.evaluate(async () => ({
      notifications: await Notification.requestPermission(),
      place: await new Promise((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('told'),
          (error) => resolve(error.code === error.PERMISSION_DENIED ? 'denied' : 'asked'),
        ),
      ),
    }))
    // A browser asks its user; headless ones answer no.
    expect(asked).toEqual({ notifications: driver === 'electron' ? 'denied' : expect.stringMatching(/denied|default/), place: 'denied' })
  })

  await test.step('no second way in opens from the page', async () => {
    if (driver === 'electron') {
      expect(await page.evaluate(() => window.open('https://example.com/') === null)).toBe(true)
      expect(page.context().pages()).toHaveLength(1)
    } else {
      // The browser sends the cookie along with any tab; the secret stays with its own.
      const stray = await page.context().newPage()
      await stray.goto(new URL('/', page.url()).href)
      await expect(stray.getByText('This tab isn’t connected to Holdfast')).toBeVisible()
      await look(stray, 'a tab that is not connected')
    }
  })

  await test.step('leaving the page loses nothing: a window stays, a tab comes back', async () => {
    const home = page.url()
    // A navigation, though refused, ends what is still loading: the page has to be there before it is asked to leave.
    await expect(page.getByText('Start a local workspace')).toBeVisible()
    for (const away of driver === 'electron' ? ['https://example.com/', 'file:///etc/hostname', 'app://elsewhere/'] : ['data:,away']) {
      await page.evaluate((url) => window.location.assign(url), away).catch(() => undefined)
      if (driver === 'browser') {
        await page.goto('about:blank')
        await page.goto(home)
      }
      expect(page.url()).toBe(home)
    }
    // Locators wait for the navigation that was refused; the page itself does not.
    await expect.poll(() => page.evaluate(() => document.body.textContent)).toContain('Start a local workspace')
  })
})
