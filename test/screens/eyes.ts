import type { Page } from '@playwright/test'

/** The values that people type in these runs: a number, and the first letter of the name of whoever typed it. */
export const tokenPattern = /\bv\d+[a-z]\b/g

/** What a person has read on their screen. */
export interface Eyes {
  /** The values that were on the screen at the last key or click, or at any time before. */
  known(): Promise<Set<string>>
}

/**
 * Watches a page as its user does. All text on the page and in its fields has been seen, and the user knew it when they next pressed a key or
 * a button. It reads the page every 100 ms and at each press, and knows nothing of how the page is built.
 */
export async function openEyes(page: Page): Promise<Eyes> {
  const kept = new Set<string>()
  const watch = (pattern: string) => {
    const seen = new Set<string>()
    let atPress: string[] = []
    const look = () => {
      const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')].map(({ value }) => value)
      const text = [document.body?.innerText ?? '', ...fields].join('\n')
      for (const [token] of text.matchAll(new RegExp(pattern, 'g'))) seen.add(token)
    }
    const press = () => {
      look()
      atPress = [...seen]
    }
    for (const kind of ['keydown', 'pointerdown', 'click', 'paste']) addEventListener(kind, press, { capture: true })
    setInterval(look, 100)
    Object.assign(window, { knownToUser: () => atPress })
  }
  await page.addInitScript(watch, tokenPattern.source)
  await page.evaluate(watch, tokenPattern.source)
  return {
    async known() {
      // A page that reloads shows nothing for a moment. The user still knows what it showed before.
      const now = await page.evaluate(() => (window as unknown as { knownToUser?: () => string[] }).knownToUser?.() ?? [])
      for (const token of now) kept.add(token)
      return new Set(kept)
    },
  }
}
