import type { Page } from '@playwright/test'
import { unlock } from '../e2e/steps/keys.ts'
import { environmentItem } from './support/large-environment.ts'
import { withLargeWorkspace } from './support/large-workspace.ts'
import { interleave } from './support/rounds.ts'
import { atMost, quantile } from './support/row.ts'
import type { Bench, Row } from './support/row.ts'

/** What a key leads to: something is drawn, something is gone, or the text of the focused field is another one. */
type Until = { drawn: string } | { gone: string } | 'typed'

/** Keys, pressed one after the other; the time counts from the last. A step without a name is only a way to the next. */
interface Step {
  what?: string
  keys: readonly string[]
  until: Until
  /** Milliseconds; 100 unless said. */
  goal?: number
}

const grid = '[data-testid="variables-grid"]'
const rowsOf = (environment: string): string => `[aria-label="Variables of ${environment}"] [data-testid="variable-row"]`
const activeAt = (index: number): string => `${grid}[aria-activedescendant^="cell-${index}-"]`
const foundIn = (text: string): Until => ({ drawn: `[data-testid="palette"] [data-found="${text}"]` })
const editor = '[data-testid="editor"]'
const dialog = '[role="dialog"]'
const toTable: Step = { keys: ['Escape'], until: { drawn: '[data-testid="variable-row"]' } }
const closed = (what: string): Step => ({ keys: ['Escape'], until: { gone: what } })

/** In this order, from the table of the first environment with its first row active. `letter` is another one in each pass. */
const stepsOf = (firstName: string, letter: string): readonly Step[] => [
  { what: 'next row', keys: ['ArrowDown'], until: { drawn: activeAt(1) } },
  { what: 'next page of rows', keys: ['PageDown'], until: { gone: activeAt(1) } },
  { what: 'last row of 1,000', keys: ['Control+End'], until: { drawn: `${activeAt(999)} [aria-rowindex="1001"]` } },
  { what: 'first row of 1,000', keys: ['Control+Home'], until: { drawn: `${activeAt(0)} [aria-rowindex="2"]` } },
  { keys: ['ArrowLeft'], until: { drawn: `${grid}[aria-activedescendant="cell-0-name"]` } },
  { what: 'open the editor of a name', keys: ['Enter'], until: { drawn: editor } },
  { what: 'type a letter in it', keys: ['x'], until: 'typed' },
  { what: 'save the name', keys: ['Enter'], until: { gone: editor } },
  { what: 'undo', keys: ['Control+z'], until: { drawn: `[data-testid="variable-row"][data-name="${firstName}"]` } },
  { keys: ['Control+Home', 'ArrowRight'], until: { drawn: `${grid}[aria-activedescendant="cell-0-value"]` } },
  { what: 'open the editor of a value', keys: ['Enter'], until: { drawn: editor } },
  { what: 'type a letter in that', keys: [letter], until: 'typed' },
  { what: 'save the value', keys: ['Enter'], until: { gone: editor } },
  { what: 'filter', keys: ['/'], until: { drawn: '[aria-label="Filter variables"]:focus' } },
  { what: 'first letter in the filter', keys: ['m'], until: { drawn: `${grid}[data-filter="m"]` } },
  { what: 'next letter in the filter', keys: ['a'], until: { drawn: `${grid}[data-filter="ma"]` } },
  { what: 'clear the filter', keys: ['Escape'], until: { drawn: `${grid}[data-filter=""]` } },
  { keys: ['Escape'], until: { drawn: `${grid}:focus` } },
  { what: 'select all 1,000', keys: ['Control+a'], until: { drawn: '[role="toolbar"]' } },
  { what: 'ask to delete them', keys: ['Delete'], until: { drawn: '[role="alertdialog"]' } },
  closed('[role="alertdialog"]'),
  closed('[role="toolbar"]'),
  { what: 'menu of a row', keys: ['Shift+F10'], until: { drawn: '[role="menu"]' } },
  closed('[role="menu"]'),
  { what: 'palette', keys: ['Control+k'], until: { drawn: '[data-testid="palette-option"]' } },
  { what: 'first letter in the palette', keys: ['e'], until: foundIn('e') },
  { what: 'next letter in the palette', keys: ['n'], until: foundIn('en') },
  { keys: ['v', 'Space', '7', '7'], until: foundIn('env 77') },
  { what: 'switch environment', keys: ['Enter'], until: { drawn: rowsOf('Env 77') } },
  { keys: ['Control+k'], until: { drawn: '[data-testid="palette-option"]' } },
  { keys: [...'env'].concat('Space', '0'), until: foundIn('env 0') },
  { what: 'switch back', keys: ['Enter'], until: { drawn: rowsOf('Env 0') } },
  { keys: ['Control+k'], until: { drawn: '[data-testid="palette-option"]' } },
  { keys: [...'value'].concat('Space', ...'history'), until: foundIn('value history') },
  { what: 'history', keys: ['Enter'], until: { drawn: '[data-testid="history-row"]' } },
  closed(dialog),
  { what: 'sync panel', keys: ['q'], until: { drawn: '[data-testid="queue-panel"]' } },
  closed('[data-testid="queue-panel"]'),
  { what: 'edit as text', keys: ['t'], until: { drawn: `${dialog} .cm-line` } },
  closed(dialog),
  { what: 'save a version', keys: ['Control+s'], until: { drawn: dialog } },
  closed(dialog),
  { what: 'settings', keys: ['Control+,'], until: { drawn: `${dialog} [role="tabpanel"]` } },
  closed(dialog),
  { what: 'shortcuts', keys: ['?'], until: { drawn: dialog } },
  closed(dialog),
  { what: 'versions', keys: ['v'], until: { drawn: '[data-testid="version-item"]' } },
  { ...toTable, what: 'back to the table' },
  { what: 'members', keys: ['m'], until: { drawn: '[data-testid="member-row"]' } },
  toTable,
  { what: 'compare 100 environments, first open', keys: ['c'], until: { drawn: '[data-testid="compare-row"]' }, goal: 150 },
  { ...toTable, what: 'back from it' },
  { what: 'compare again', keys: ['c'], until: { drawn: '[data-testid="compare-row"]' } },
  toTable,
]

const lock: Step = { what: 'lock', keys: ['Control+Shift+L'], until: { gone: '[data-testid="variable-row"]' } }
/** A lock takes the table off the screen at once. Then it loads the page anew: until that nothing can be typed that lasts. */
const lockedAnew = 'lock, page loaded anew'

const presses = 4

/** What the keys took, by their step; in a round each is pressed a few times. */
type Taken = Map<string, number[]>

/**
 * From each key of daily work to the end of the frame that draws its outcome, over 100,000 variables, each for the first time in a window that has come
 * to rest, beside the same keys on a page of the same browser that draws thirty rows anew at any key.
 */
export const bench: Bench = () =>
  withLargeWorkspace(async (page, browser) => {
    const firstName = (await page.getByTestId('variable-row').first().getAttribute('data-name')) ?? ''
    const bare = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await bare.setContent(barePage)
    await page.addInitScript(watchLock)
    let pass = 0
    const seen = await interleave({
      ours: () => pressAll(async (taken) => oneDay(page, stepsOf(firstName, String.fromCharCode(97 + (pass++ % 26))), taken)),
      bare: () => pressAll(async (taken) => onBarePage(bare, stepsOf(firstName, 'a'), taken)),
    })
    const row = (what: string, at: number, limit: number): Row => {
      const of = (side: keyof typeof seen) => seen[side].map((taken) => quantile(taken.get(what) ?? [], at))
      return {
        what: at === 0.5 ? what : `${what}, slowest of ${presses}`,
        unit: 'ms',
        ours: of('ours'),
        rival: { what: 'bare page', values: of('bare') },
        ...(at === 0.5 ? {} : { goal: atMost(limit) }),
      }
    }
    const named = [...stepsOf(firstName, 'a'), lock]
    return [
      ...named.flatMap(({ what, goal = 100 }) => (what === undefined ? [] : [row(what, 0.5, goal), row(what, 1, goal)])),
      { what: lockedAnew, unit: 'ms', ours: seen.ours.map((taken) => quantile(taken.get(lockedAnew) ?? [], 0.5)) },
    ]
  })

async function pressAll(press: (taken: Taken) => Promise<void>): Promise<Taken> {
  const taken: Taken = new Map()
  for (let time = 0; time < presses; time += 1) await press(taken)
  return taken
}

const note = (taken: Taken, what: string | undefined, ms: number): void => {
  if (what !== undefined) taken.set(what, [...(taken.get(what) ?? []), ms])
}

async function oneDay(page: Page, steps: readonly Step[], taken: Taken): Promise<void> {
  await page.bringToFront()
  await page.reload()
  await page.locator(environmentItem('Env 0')).click()
  await page.locator(rowsOf('Env 0')).first().waitFor()
  await page.locator(grid).focus()
  // Time in which the window loads ahead what opens later.
  await page.waitForTimeout(4000)
  for (const step of steps) {
    note(taken, step.what, await timeKeys(page, step))
    await page.waitForTimeout(250)
  }
  await page.keyboard.press('Control+Shift+L')
  await page.waitForFunction(() => sessionStorage.getItem('bench-anew') !== null)
  const { locked, anew } = await page.evaluate(takeLockTimes)
  note(taken, lock.what, locked)
  note(taken, lockedAnew, anew)
  await unlock(page)
  await page.locator(rowsOf('Env 0')).first().waitFor()
}

async function onBarePage(page: Page, steps: readonly Step[], taken: Taken): Promise<void> {
  await page.bringToFront()
  const named = [...steps, lock].filter(({ what }) => what !== undefined)
  let drawn = Number(await page.locator('main').getAttribute('data-drawn'))
  for (const { what, keys } of named) {
    drawn += 1
    note(taken, what, await timeKeys(page, { keys: keys.slice(-1), until: { drawn: `main[data-drawn="${drawn}"]` } }))
    await page.waitForTimeout(50)
  }
}

/** Milliseconds from the last key to the end of the frame that draws what it leads to. */
async function timeKeys(page: Page, { keys, until }: Pick<Step, 'keys' | 'until'>): Promise<number> {
  for (const key of keys.slice(0, -1)) await page.keyboard.press(key)
  const timing = await page.evaluateHandle((wanted) => {
    const textOf = (element: Element | null) =>
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.value : ''
    const before = textOf(document.activeElement)
    const isThere = () => {
      if (wanted === 'typed') return textOf(document.activeElement) !== before
      return 'gone' in wanted ? document.querySelector(wanted.gone) === null : document.querySelector(wanted.drawn) !== null
    }
    const wait = async (begun: number) => {
      do {
        if (performance.now() - begun > 10_000) return Number.NaN
        await new Promise((done) => requestAnimationFrame(done))
      } while (!isThere())
      await new Promise<void>((done) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done()
        port2.postMessage(null)
      })
      return performance.now() - begun
    }
    return {
      took: new Promise<number>((resolve) => {
        const onKey = (event: KeyboardEvent) => {
          if (['Control', 'Shift'].includes(event.key)) return
          removeEventListener('keydown', onKey, { capture: true })
          void wait(event.timeStamp).then(resolve)
        }
        addEventListener('keydown', onKey, { capture: true })
      }),
    }
  }, until)
  await page.keyboard.press(keys.at(-1) ?? '')
  const took = await timing.evaluate((one) => one.took)
  await timing.dispose()
  if (Number.isNaN(took)) throw new Error(`${keys.join(' ')} did not lead to ${JSON.stringify(until)}`)
  return took
}

/** Runs in every document: notes when the lock was asked for, when no value was on the screen any more, and when the page that was loaded anew had been painted. */
function watchLock(): void {
  const now = () => performance.timeOrigin + performance.now()
  const whenPainted = async (isReached: () => boolean) => {
    do await new Promise((done) => requestAnimationFrame(done))
    while (!isReached())
    await new Promise<void>((done) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => done()
      port2.postMessage(null)
    })
    return now()
  }
  const watch = async () => {
    const locked = await whenPainted(() => document.querySelector('[data-testid="variable-row"]') === null)
    sessionStorage['bench-locked'] ??= locked
    const anew = await whenPainted(() => document.querySelector('input[type="password"]') !== null)
    if (performance.timeOrigin > Number(sessionStorage['bench-asked'])) sessionStorage['bench-anew'] = anew
  }
  if (sessionStorage['bench-asked'] !== undefined) void watch()
  const onKey = ({ key, ctrlKey, shiftKey, timeStamp }: KeyboardEvent) => {
    if (!ctrlKey || !shiftKey || key.toLowerCase() !== 'l') return
    sessionStorage['bench-asked'] = performance.timeOrigin + timeStamp
    void watch()
  }
  addEventListener('keydown', onKey, { capture: true })
}

/** Milliseconds from the key of the lock to what `watchLock` noted. */
function takeLockTimes(): { locked: number; anew: number } {
  const taken = (name: string) => {
    const at = Number(sessionStorage.getItem(name))
    sessionStorage.removeItem(name)
    return at
  }
  const asked = taken('bench-asked')
  return { locked: taken('bench-locked') - asked, anew: taken('bench-anew') - asked }
}

/** The least that answers a key with a screenful. */
const barePage = `<!doctype html><style>body{margin:0;font:13px sans-serif}p{margin:0;height:34px}</style><main data-drawn="0"></main>
<script>
const main = document.querySelector('main')
addEventListener('keydown', (event) => {
  if (['Control', 'Shift'].includes(event.key)) return
  event.preventDefault()
  const drawn = Number(main.dataset.drawn) + 1
  main.replaceChildren(...Array.from({ length: 30 }, (_, row) => {
    const line = document.createElement('p')
    line.textContent = 'SETTING_' + (drawn * 30 + row) + ' https://service.example/' + row
    return line
  }))
  main.dataset.drawn = drawn
})
</script>`
