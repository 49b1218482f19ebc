import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { assets, frameAfter } from './support/built-page.ts'
import { environmentItem, largeNames, largeValues, variableRow, withLargeEnvironment } from './support/large-environment.ts'
import { interleave } from './support/rounds.ts'
import { atMost, quantile } from './support/row.ts'
import type { Bench, Goal, Row } from './support/row.ts'

const opens = 7

/**
 * The window over an environment of 2,000 variables, in the built page (`npm run build` first), beside a bare list of the same rows in the same browser:
 * from a press to the frame that shows its outcome, and the longest task while the list is scrolled.
 */
export const bench: Bench = () =>
  withLargeEnvironment(async (page, browser) => {
    const ours: Subject = {
      page,
      open: async () => {
        await page.locator(environmentItem('Small')).click()
        await page.locator(variableRow('ONLY')).waitFor()
        return frameAfter(page, environmentItem('Large'), variableRow(largeNames[0] ?? ''))
      },
      filterField: '[aria-label="Filter variables"]',
      rows: '[data-testid="variable-row"]',
      scroller: '[data-testid="variables-grid"] .scroller',
    }
    const rival = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    await rival.setContent(bareList)
    const theirs: Subject = {
      page: rival,
      open: () => frameAfter(rival, '#open', '.row'),
      filterField: '#filter',
      rows: '.row',
      scroller: '#list',
    }
    const seen = await interleave({ ours: () => measure(ours), theirs: () => measure(theirs) })
    const row = (what: string, of: keyof Measured, goal: Goal): Row => ({
      what,
      unit: 'ms',
      ours: seen.ours.map((one) => one[of]),
      rival: { what: 'bare virtual list', values: seen.theirs.map((one) => one[of]) },
      goal,
    })
    return [
      row('open an environment of 2,000', 'open', atMost(60)),
      row('filter, key to paint p95', 'filter', atMost(16)),
      row('scroll, longest task', 'scroll', atMost(50)),
      { what: 'first page of JavaScript, gzip', unit: 'kB', ours: [firstPage()], goal: atMost(90) },
    ]
  })

interface Subject {
  page: Page
  open: () => Promise<number>
  filterField: string
  rows: string
  scroller: string
}

/** One round, in milliseconds: the median of some openings, p95 of the keys of some filters, and the longest task of one scroll. */
interface Measured {
  open: number
  filter: number
  scroll: number
}

async function measure(subject: Subject): Promise<Measured> {
  const { page } = subject
  await page.bringToFront()
  const opened: number[] = []
  for (let time = 0; time < opens; time += 1) opened.push(await subject.open())
  const keys: number[] = []
  for (const text of ['17', '0042', '199', '05', '1234']) {
    for (const end of Array.from(text, (_, at) => at + 1)) keys.push(await filterKey(page, subject, `SETTING_${text.slice(0, end)}`))
    await filterKey(page, subject, '')
  }
  return { open: quantile(opened, 0.5), filter: quantile(keys, 0.95), scroll: await longestTask(page, subject.scroller) }
}

/** Milliseconds from a filter being typed to the frame after which only rows with that text are drawn. */
const filterKey = (page: Page, { filterField, rows }: Subject, text: string): Promise<number> =>
  page.evaluate(
    async ([field, row, typed = '']) => {
      const input = document.querySelector<HTMLInputElement>(field ?? '')
      if (input === null) throw new Error('No filter is on the screen.')
      // It begins between two frames, as a key does.
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 4)))
      const begun = performance.now()
      input.value = typed
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
      const isDone = () => {
        const drawn = [...document.querySelectorAll(row ?? '')]
        return drawn.length > 0 && drawn.every((one) => one.textContent.includes(typed))
      }
      do {
        if (performance.now() - begun > 10_000) throw new Error(`The rows with ${typed} are not drawn.`)
        await new Promise((done) => requestAnimationFrame(done))
      } while (!isDone())
      await new Promise<void>((done) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done()
        port2.postMessage(null)
      })
      return performance.now() - begun
    },
    [filterField, rows, text],
  )

/** Milliseconds of the longest task while a list is scrolled from end to end, 700 pixels a frame; 0: none took 50 or more. */
const longestTask = (page: Page, scroller: string): Promise<number> =>
  page.evaluate(async (selector) => {
    const list = document.querySelector(selector)
    if (list === null) throw new Error('No list is on the screen.')
    let longest = 0
    const observer = new PerformanceObserver((entries) => {
      for (const { duration } of entries.getEntries()) longest = Math.max(longest, duration)
    })
    observer.observe({ type: 'longtask' })
    for (let top = 0; top < list.scrollHeight; top += 700) {
      list.scrollTop = top
      await new Promise((done) => requestAnimationFrame(done))
    }
    await new Promise((done) => setTimeout(done, 300))
    observer.disconnect()
    return longest
  }, scroller)

/** Kilobytes of JavaScript that the page loads before it draws anything, compressed. */
function firstPage(): number {
  const html = readFileSync(path.join(assets, 'index.html'), 'utf8')
  const files = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map(([, file = '']) => file)
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(path.join(assets, file))).length, 0)
  return bytes / 1000
}

/** The least that shows as many rows: drawn anew at every scroll and every key, with nothing behind them. */
const bareList = `<!doctype html><style>body{margin:0;font:13px sans-serif}#list{height:700px;overflow:auto}#canvas{position:relative}
.row{position:absolute;height:34px;left:0;right:0}</style><button id="open">Open</button><input id="filter"><div id="list"><div id="canvas"></div></div>
<script>
const all = ${JSON.stringify(largeNames.map((name, n) => [name, largeValues[n]]))}
let rows = all
const list = document.getElementById('list'), canvas = document.getElementById('canvas'), filter = document.getElementById('filter')
const draw = () => {
  canvas.style.height = rows.length * 34 + 'px'
  const first = Math.floor(list.scrollTop / 34)
  canvas.replaceChildren(...rows.slice(first, first + 30).map(([name, value], at) => {
    const row = document.createElement('div')
    row.className = 'row'
    row.style.top = (first + at) * 34 + 'px'
    row.textContent = name + ' ' + value
    return row
  }))
}
list.onscroll = draw
filter.oninput = () => { rows = all.filter(([name]) => name.includes(filter.value)); draw() }
document.getElementById('open').onclick = () => { rows = all; canvas.replaceChildren(); draw() }
</script>`
