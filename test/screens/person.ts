import type { Locator, Page } from '@playwright/test'
import type { Dice } from '../soak/dice.ts'
import type { Eyes } from './eyes.ts'

/** The environments and the names of variables that people work on. */
export const environments = ['Production', 'Staging'] as const
export const names = ['ANIMAL', 'CITY', 'COLOUR', 'FRUIT', 'GREETING', 'RIVER'] as const

/** What a person does, in steps. Others may act between two of them. */
export type Act = AsyncGenerator<undefined, void>

/** Somebody at a screen, who knows the application by its keys and by what is written on it. */
export class Person {
  readonly name: string
  readonly page: Page
  readonly eyes: Eyes
  readonly dice: Dice
  /** Values that this person typed and saved, and that the service has not shown yet, with the name they were typed for. */
  readonly unsent = new Map<string, string>()
  /** Values that this person said may be replaced, whatever they are. */
  readonly given = new Set<string>()
  #typed = 0
  readonly #present: () => Promise<Iterable<string>>

  /** `present`: the values that the service holds now. */
  constructor(name: string, page: Page, eyes: Eyes, dice: Dice, present: () => Promise<Iterable<string>>) {
    this.#present = present
    this.name = name
    this.page = page
    this.eyes = eyes
    this.dice = dice
  }

  /** A new value: each call returns another one. */
  token(): string {
    return `v${++this.#typed}${this.name[0]}`
  }

  /** Allows whatever the service holds now to be replaced, without having looked at it. */
  async mayReplaceAll(): Promise<void> {
    for (const token of await this.#present()) this.given.add(token)
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key)
  }

  get grid(): Locator {
    return this.page.getByTestId('variables-grid')
  }

  row(name: string): Locator {
    return this.page.locator(`[data-testid="variable-row"][data-name="${name}"]`)
  }

  /** The person saved a value, which replaces an unsent one that they had typed for the variable before. */
  saved(name: string, token: string): void {
    for (const [earlier, of] of this.unsent) if (of === name) this.unsent.delete(earlier)
    this.unsent.set(token, name)
  }

  /** The person may have taken back what was not sent: of one variable, or of all. */
  gaveUp(name?: string): void {
    for (const [token, of] of this.unsent) if (name === undefined || of === name) this.unsent.delete(token)
  }

  /** The variables on the screen: values by name. */
  shown(): Promise<Record<string, string>> {
    return this.page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll<HTMLElement>('[data-testid="variable-row"]')].map((row) => [
          row.dataset['name'] ?? '',
          (/\bv\d+[a-z]\b/.exec(row.querySelector<HTMLElement>('[data-testid="value-cell"]')?.innerText ?? '') ?? [''])[0],
        ]),
      ),
    )
  }

  /** Closes whatever lies over the table. */
  async backToTable(): Promise<void> {
    for (let tries = 0; tries < 40; tries++) {
      const open = await this.page.locator('[role="dialog"], [role="alertdialog"], [role="menu"], [data-testid="queue-panel"]').count()
      if (open === 0 && (await this.grid.count()) > 0) return
      await this.press('Escape')
      await this.page.waitForTimeout(150)
    }
  }
}

/** How long a person waits for something to appear, in milliseconds. */
const patience = 2500

/** Whether a step succeeds. Others may have changed the screen meanwhile, so that it need not. */
const succeeds = (step: Promise<unknown>): Promise<boolean> =>
  step.then(
    () => true,
    () => false,
  )

export const appears = (what: Locator, timeout = patience): Promise<boolean> => succeeds(what.waitFor({ state: 'visible', timeout }))
export const closes = (what: Locator): Promise<boolean> => succeeds(what.waitFor({ state: 'hidden', timeout: patience }))
export const click = (what: Locator, button?: 'right'): Promise<boolean> =>
  succeeds(what.click({ timeout: patience, ...(button && { button }) }))
export const doubleClick = (what: Locator): Promise<boolean> => succeeds(what.dblclick({ timeout: patience }))
export const fill = (field: Locator, text: string): Promise<boolean> => succeeds(field.fill(text, { timeout: patience }))
export const pressIn = (what: Locator, key: string): Promise<boolean> => succeeds(what.press(key, { timeout: patience }))
export const focus = (what: Locator): Promise<boolean> => succeeds(what.focus({ timeout: patience }))
