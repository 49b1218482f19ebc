import { expect, type Page } from '@playwright/test'

/** A window of 1280 by 800 at 200 %. */
const zoomed = { width: 640, height: 400 }

/**
 * Fails with what cannot be reached when everything is twice as large: what lies beyond the window or is cut off by what does not
 * scroll, and what scrolls both ways without being a table or text. `picture`: the file for one, null for none.
 */
export async function expectZoomable(page: Page, screen: string, picture: string | null): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 800 }
  await page.setViewportSize(zoomed)
  // Where the focus is, it stays in view.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  if (picture !== null) await page.screenshot({ path: picture, animations: 'disabled' })
  const problems = await page.evaluate(() => {
    const controls = 'button, input:not([type="file"]), select, textarea, a[href], [role="treeitem"], [role="option"], [role^="menuitem"]'
    const layers = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"], [role="menu"]')]
    const within = layers.at(-1) ?? document
    const say = (element: Element) => (element.getAttribute('aria-label') ?? (element.textContent || element.tagName)).trim().slice(0, 60)
    const reach = (element: Element): string | null => {
      let { left, right, top, bottom } = element.getBoundingClientRect()
      for (let above = element.parentElement; above !== null; above = above.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(above)
        const box = above.getBoundingClientRect()
        // What scrolls can bring it in; it is then where the scroller is.
        if (/auto|scroll/.test(overflowX) && (left < box.left || right > box.right)) [left, right] = [box.left, box.right]
        if (/auto|scroll/.test(overflowY) && (top < box.top || bottom > box.bottom)) [top, bottom] = [box.top, box.bottom]
        if (/hidden|clip/.test(overflowX) && (left < box.left - 2 || right > box.right + 2)) return 'cut off sideways'
        if (/hidden|clip/.test(overflowY) && (top < box.top - 2 || bottom > box.bottom + 2)) return 'cut off'
      }
      if (left < -2 || top < -2 || right > innerWidth + 2 || bottom > innerHeight + 2) return 'beyond the window'
      return null
    }
    const found: string[] = []
    for (const element of within.querySelectorAll(controls)) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || element.closest('.visually-hidden')) continue
      const { width, height } = element.getBoundingClientRect()
      if (width < 2 || height < 2) continue
      const problem = reach(element)
      if (problem !== null) found.push(`${say(element)}: ${problem}`)
    }
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      const { overflowX } = getComputedStyle(element)
      if (!/auto|scroll/.test(overflowX) || element.scrollWidth <= element.clientWidth + 1 || !element.checkVisibility()) continue
      if (element.closest('[role="grid"], [role="table"], table, textarea, pre, .cm-editor, input') === null)
        found.push(`${say(element)}: scrolls sideways`)
    }
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth || root.scrollHeight > root.clientHeight) found.push('the window itself scrolls')
    return found
  })
  expect.soft(problems, `what cannot be reached on ${screen} at 200 %`).toEqual([])
  await page.setViewportSize(before)
}
