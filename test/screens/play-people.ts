import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import type { AppProcess } from '../e2e/drivers/app-process.ts'
import { startInBrowser } from '../e2e/drivers/start-in-browser.ts'
import type { Stage } from '../e2e/drivers/stage.ts'
import { ServiceOnStage } from '../e2e/service-on-stage.ts'
import { createDice } from '../soak/dice.ts'
import { acts, usual, type ActName } from './acts.ts'
import { openEyes, tokenPattern } from './eyes.ts'
import { environments, names, Person, type Act } from './person.ts'
import { contentsReader } from './read-contents.ts'
import { watchService, type Contents } from './watched-service.ts'

interface Options {
  browser: Browser
  stage: Stage
  folder: string
  seed: number
  steps: number
  /** Where to leave pictures of a run with a finding; null: nowhere. */
  pictures: string | null
}

export async function playPeople({ browser, stage, folder, seed, steps, pictures }: Options) {
  const dice = createDice(seed)
  const faults = createDice(seed + 1_000_003)
  const trace: string[] = []
  const findings: string[] = []
  const service = new ServiceOnStage(stage, path.join(folder, 'service'))
  await service.start()
  const slugs = environments.map((name) => name.toLowerCase())
  const people = new Map<string, Person>()
  const running: AppProcess[] = []
  /** Every value that the service ever showed. */
  const reached = new Set<string>()
  let read = async (): Promise<Contents> => ({})

  const watched = await watchService(
    service.url,
    () => read(),
    async ({ by, request, before, after }) => {
      const [had, has] = [tokensOf(before), tokensOf(after)]
      for (const token of has) reached.add(token)
      const gone = [...had].filter((token) => !has.has(token))
      trace.push(`  ${by} ${request}: ${differences(before, after)}`)
      const person = people.get(by)
      if (gone.length === 0 || person === undefined) return
      const known = await person.eyes.known()
      for (const token of gone) {
        if (!known.has(token) && !person.given.has(token) && !token.endsWith(by[0] ?? ''))
          findings.push(`${by} took ${token} from the service without having seen it (${request})`)
      }
    },
    () => faults.chance(0.04),
  )

  async function arrive(name: string, key: string | undefined): Promise<string> {
    const dataDir = path.join(folder, name)
    await mkdir(dataDir, { recursive: true })
    const url = await watched.addressFor(name)
    const values = Object.fromEntries(names.slice(0, 4).map((each, at) => [each, `v${at + 900}${name[0]}`]))
    const projects =
      key === undefined
        ? { Shop: Object.fromEntries(environments.map((each, at) => [each, at === 0 ? values : { FRUIT: 'v990a' }])) }
        : undefined
    const app = await startInBrowser(browser, stage, {
      dataDir,
      keychain: 'none',
      keepsSize: false,
      workspace: { service: { url, apiKey: service.apiKey }, key, ...(projects && { projects }), syncSeconds: 5 },
    })
    running.push(app)
    app.page.on('pageerror', (error) => {
      trace.push(`  ${name} sees an error: ${error.stack}`)
      findings.push(`the page of ${name} threw ${error.message}`)
    })
    people.set(name, new Person(name, app.page, await openEyes(app.page), dice, async () => tokensOf(await watched.contents())))
    return app.workspaceKey ?? ''
  }

  try {
    const workspaceKey = await arrive('anna', undefined)
    await settled([...people.values()])
    read = contentsReader(
      { url: service.url, apiKey: service.apiKey, workspaceId: service.workspaceId, workspaceKey, project: 'shop' },
      slugs,
      names,
    )
    await watched.contents()
    await arrive('bert', workspaceKey)
    const all = [...people.values()]
    await settled(all)
    for (const { page } of all) await page.locator('[data-testid="environment-item"][data-name="Production"]').click()

    const doing = new Map<Person, { what: ActName; act: Act }>()
    let offline: Person | null = null
    for (let step = 0; step < steps; step++) {
      const me = dice.pick(all)
      if (dice.chance(0.06)) {
        if (offline !== null) watched.setOffline(offline.name, false)
        offline = offline === null ? me : null
        if (offline !== null) watched.setOffline(offline.name, true)
        trace.push(offline === null ? 'all are online' : `${offline.name} is offline`)
      }
      let current = doing.get(me)
      if (current === undefined) {
        await me.backToTable()
        const what = dice.pick(usual)
        current = { what, act: acts[what](me) }
        doing.set(me, current)
      }
      const { done } = await current.act.next()
      trace.push(`${me.name} ${current.what}${done ? '' : ' …'}`)
      if (done) {
        doing.delete(me)
        if (await isFocusLost(me.page, current.what)) {
          findings.push(`after “${current.what}” the keyboard of ${me.name} is nowhere`)
          if (pictures !== null) await me.page.screenshot({ path: path.join(pictures, `${seed}-focus-${findings.length}.png`) })
        }
      }
    }
    if (offline !== null) watched.setOffline(offline.name, false)
    trace.push('all are online, and come to an end')
    await comeToAnEnd(all, watched.contents, findings, trace)
    for (const person of all) {
      for (const [token, name] of person.unsent) {
        if (!reached.has(token)) findings.push(`${token}, which ${person.name} saved for ${name}, never reached the service`)
      }
    }
    if (findings.length > 0 && pictures !== null)
      for (const { page, name } of all) await page.screenshot({ path: path.join(pictures, `${seed}-${name}.png`) })
  } finally {
    for (const app of running) await app.quit().catch(() => app.kill())
    await watched.close()
    await service.stop()
  }
  return { findings, trace }
}

const tokensOf = (contents: Contents): Set<string> =>
  new Set(Object.values(contents).flatMap((values) => Object.values(values).flatMap((value) => value.match(tokenPattern) ?? [])))

/** What changed, as `production/CITY v1a → v2b`. */
function differences(before: Contents, after: Contents): string {
  const lines = Object.entries(after).flatMap(([environment, values]) => {
    const former = before[environment] ?? {}
    return [...new Set([...Object.keys(former), ...Object.keys(values)])]
      .filter((name) => former[name] !== values[name])
      .map((name) => `${environment}/${name} ${former[name] ?? '–'} → ${values[name] ?? '–'}`)
  })
  return lines.join(', ') || 'nothing changed'
}

/** Whether a key that is pressed next reaches nothing. */
async function isFocusLost(page: Page, what: ActName): Promise<boolean> {
  if (what === 'reload' || what === 'otherEnvironment') return false
  for (let tries = 0; tries < 10; tries++) {
    const isLost = await page.evaluate(() => document.activeElement === document.body || document.activeElement === null)
    if (!isLost) return false
    await sleep(100)
  }
  return true
}

const pillOf = (page: Page): Promise<string | null> => page.getByTestId('sync-pill').getAttribute('data-state-sync')

async function settled(people: readonly Person[], withinMs = 60_000): Promise<boolean> {
  const end = performance.now() + withinMs
  while (performance.now() < end) {
    const states = await Promise.all(people.map(({ page }) => pillOf(page)))
    if (states.every((state) => state === 'synced')) return true
    await sleep(200)
  }
  return false
}

/** All questions are answered, all is sent, and each screen shows what the service holds. */
async function comeToAnEnd(
  people: readonly Person[],
  contents: () => Promise<Contents>,
  findings: string[],
  trace: string[],
): Promise<void> {
  const run = async (me: Person, what: ActName) => {
    await me.backToTable()
    for (let act = acts[what](me), step = await act.next(); !step.done;) step = await act.next()
  }
  for (let round = 0; round < 25; round++) {
    for (const me of people) {
      const state = await pillOf(me.page)
      if (state === 'attention') await run(me, 'answer')
      await run(me, 'syncNow')
      await me.backToTable()
    }
    if (await settled(people, 2000)) break
  }
  if (!(await settled(people, 30_000))) {
    for (const { name, page } of people) findings.push(`${name} does not come to rest: ${await pillOf(page)}`)
    return
  }
  let wrong: string[] = []
  for (let tries = 0; tries < 6; tries++) {
    const truth = await contents()
    wrong = []
    for (const me of people) {
      for (const environment of environments) {
        const item = me.page.locator(`[data-testid="environment-item"][data-name="${environment}"]`)
        await me.backToTable()
        const isThere = (await item.count()) > 0
        if (isThere) await item.click()
        await sleep(300)
        const [shown, holds] = [isThere ? await me.shown() : {}, truth[environment.toLowerCase()] ?? {}]
        if (JSON.stringify(sorted(shown)) !== JSON.stringify(sorted(holds)))
          wrong.push(
            `${me.name} sees ${JSON.stringify(sorted(shown))} in ${environment}, where the service holds ${JSON.stringify(sorted(holds))}`,
          )
      }
    }
    if (wrong.length === 0) return
    await sleep(3000)
  }
  trace.push('they do not agree')
  findings.push(...wrong)
}

const sorted = (values: Readonly<Record<string, string>>) => Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1))
