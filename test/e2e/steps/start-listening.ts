import type { Page } from '@playwright/test'

/**
 * Notes what the live regions of a page say from now on, as a screen reader hears it: what goes away again stays noted. Gives all that
 * was said, oldest first.
 */
export async function startListening(page: Page): Promise<() => Promise<string[]>> {
  const list = await page.evaluateHandle(() => {
    const heard: string[] = []
    const note = ({ target }: MutationRecord) => {
      const element = target instanceof Element ? target : target.parentElement
      const region = element?.closest('[aria-live], [role="status"], [role="alert"]')
      if (region) heard.push(region.textContent.trim())
    }
    new MutationObserver((records) => records.forEach(note)).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    })
    return heard
  })
  return () => list.jsonValue()
}
