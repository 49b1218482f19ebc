import type { Page } from '@playwright/test'
import { environmentItem, largeNames, variableRow, withLargeEnvironment } from './support/large-environment.ts'
import { rounds } from './support/rounds.ts'
import { atMost, type Bench, type Row } from './support/row.ts'

/** A key, and what it leads to: a selector of what is then drawn, or, after `!`, of what is then gone. */
interface Step {
  what: string
  keys: string
  until: string
  /** Milliseconds; 100 unless said. */
  goal?: number
}

const first = largeNames[0] ?? ''
const last = largeNames.at(-1) ?? ''
const activeIn = (name: string) => `[data-testid="variables-grid"][aria-activedescendant^="cell-${largeNames.indexOf(name)}-"]`

/** In this order, from the table of Large with its first row active. A step without a name is only a way to the next. */
const steps: readonly (Step | Omit<Step, 'what'>)[] = [
  { what: 'next row', keys: 'ArrowDown', until: activeIn('SETTING_0001') },
  { what: 'last row of 2,000', keys: 'Control+End', until: `${activeIn(last)} ${variableRow(last)}` },
  { what: 'first row of 2,000', keys: 'Control+Home', until: `${activeIn(first)} ${variableRow(first)}` },
  { what: 'open the editor', keys: 'Enter', until: '[data-testid="editor"]' },
  { keys: 'x', until: '[data-testid="editor"]' },
  { what: 'save a new name', keys: 'Enter', until: `![data-testid="editor"]` },
  { what: 'undo', keys: 'Control+z', until: variableRow(first) },
  { what: 'select all 2,000', keys: 'Control+a', until: '[role="toolbar"]' },
  { what: 'ask to delete them', keys: 'Delete', until: '[role="alertdialog"]' },
  { keys: 'Escape', until: '![role="alertdialog"]' },
  { keys: 'Escape', until: '![role="toolbar"]' },
  { what: 'menu of a row', keys: 'Shift+F10', until: '[role="menu"]' },
  { keys: 'Escape', until: '![role="menu"]' },
  { what: 'palette', keys: 'Control+k', until: '[data-testid="palette-option"]' },
  { what: 'first letter in it', keys: '9', until: '[data-testid="palette"] [data-found="9"]' },
  { what: 'next letter in it', keys: '7', until: '[data-testid="palette"] [data-found="97"]' },
  { what: 'go to what it found', keys: 'Enter', until: `${activeIn('SETTING_0097')} ${variableRow('SETTING_0097')}` },
  { what: 'sync panel', keys: 'q', until: '[data-testid="queue-panel"]' },
  { keys: 'Escape', until: '![data-testid="queue-panel"]' },
  { what: 'edit as text', keys: 't', until: '[role="dialog"] .cm-line' },
  { keys: 'Escape', until: '![role="dialog"]' },
  { what: 'save a version', keys: 'Control+s', until: '[role="dialog"]' },
  { keys: 'Escape', until: '![role="dialog"]' },
  { what: 'settings', keys: 'Control+,', until: '[role="dialog"] [role="tabpanel"]' },
  { keys: 'Escape', until: '![role="dialog"]' },
  { what: 'shortcuts', keys: '?', until: '[role="dialog"]' },
  { keys: 'Escape', until: '![role="dialog"]' },
  { what: 'versions', keys: 'v', until: 'main:not(:has([data-testid="variables-grid"])) h1 .title' },
  { what: 'back to the table', keys: 'Escape', until: '[data-testid="variable-row"]' },
  { what: 'members', keys: 'm', until: '[data-testid="member-row"]' },
  { keys: 'Escape', until: '[data-testid="variable-row"]' },
  { what: 'compare, first open', keys: 'c', until: '[data-testid="compare-row"]', goal: 150 },
  { what: 'back from it', keys: 'Escape', until: '[data-testid="variable-row"]' },
  { what: 'compare again', keys: 'c', until: '[data-testid="compare-row"]' },
]

/** From each key of daily work to the frame that shows its outcome, over 2,000 variables, each for the first time in a window that has come to rest. */
export const bench: Bench = () =>
  withLargeEnvironment(async (page) => {
    const seen = new Map<string, number[]>()
    for (let round = 0; round < rounds; round += 1) {
      await page.reload()
      await page.locator(environmentItem('Large')).click()
      await page.locator(variableRow(first)).waitFor()
      await page.getByTestId('variables-grid').focus()
      // Time in which the window loads ahead what opens later.
      await page.waitForTimeout(4000)
      for (const step of steps) {
        const took = await timeKey(page, step)
        if ('what' in step) seen.set(step.what, [...(seen.get(step.what) ?? []), took])
        await page.waitForTimeout(300)
      }
    }
    return steps.flatMap((step): Row[] =>
      'what' in step ? [{ what: step.what, unit: 'ms', ours: seen.get(step.what) ?? [], goal: atMost(step.goal ?? 100) }] : [],
    )
  })

/** Milliseconds from a key to the end of the frame that draws what it leads to. */
async function timeKey(page: Page, { keys, until }: Pick<Step, 'keys' | 'until'>): Promise<number> {
  const timing = await page.evaluateHandle((wanted) => {
    const isThere = () =>
      wanted.startsWith('!') ? document.querySelector(wanted.slice(1)) === null : document.querySelector(wanted) !== null
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
  await page.keyboard.press(keys)
  const took = await timing.evaluate((one) => one.took)
  await timing.dispose()
  if (Number.isNaN(took)) throw new Error(`${keys} did not lead to ${until}`)
  return took
}
