import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import type { AppUnderTest, StartApp } from './fixtures.ts'
import { holdToasts } from './steps/hold-toasts.ts'
import { closeQueue, expectSync, openQueue } from './steps/sync.ts'
import { addVariable, editVariable, expectCount, importText, rowOf } from './steps/variables.ts'
import { leaveVersions, openVersions, rollBack, saveVersion, versionItem } from './steps/versions.ts'
import { createEnvironment, createProject } from './steps/workspaces.ts'

const rows = (count: number) => Array.from({ length: count }, (_, n) => `ROW_${String(n).padStart(2, '0')}=value ${n}`).join('\n')

async function startWithRows(startApp: StartApp, count: number): Promise<AppUnderTest> {
  const app = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: rows(count) } } } })
  await expectCount(app.page, count)
  return app
}

/** Where an element is, in pixels. */
async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox()
  if (box === null) throw new Error('It is not on the screen.')
  return box
}

test('nothing in the header moves while an edit is saved and synced', async ({ startApp }) => {
  const { page } = await startWithRows(startApp, 2)
  await expect(page.getByTestId('sync-pill')).toHaveAttribute('data-state-sync', 'synced')
  await page.evaluate(async () => {
    await document.fonts.ready
    const places = new Set<number>()
    Object.assign(window, { places })
    const look = () => {
      const at = document.querySelector('[aria-label="New variable"].button')?.getBoundingClientRect().x
      if (at !== undefined) places.add(at)
      requestAnimationFrame(look)
    }
    look()
  })
  for (const value of ['one', 'two', 'three']) {
    await rowOf(page, 'ROW_00').getByTestId('value-cell').dblclick()
    await page.getByRole('textbox', { name: 'Value of ROW_00' }).fill(value)
    await page.keyboard.press('Enter')
    await expect(rowOf(page, 'ROW_00').getByTestId('value-cell')).toHaveText(value)
    await expect(page.getByTestId('sync-pill')).toHaveAttribute('data-state-sync', 'synced')
  }
  expect(await page.evaluate(() => [...(window as unknown as { places: Set<number> }).places])).toHaveLength(1)
})

test('nothing but the pill itself moves in the header when it has more to say', async ({ startApp }) => {
  const { page } = await startWithRows(startApp, 2)
  await expectSync(page, 'synced')
  const places = () =>
    Promise.all(
      ['New variable', 'Import', 'More for this environment'].map((name) => boxOf(page.getByRole('button', { name, exact: true }))),
    )
  const pillBefore = await boxOf(page.getByTestId('sync-pill'))
  const before = await places()
  await openQueue(page)
  await page.getByTestId('queue-panel').getByRole('button', { name: 'Pause' }).click()
  await closeQueue(page)
  await editVariable(page, 'ROW_00', 'one')
  await expect(page.getByTestId('sync-pill')).toContainText('Paused · 1 queued')
  expect((await boxOf(page.getByTestId('sync-pill'))).width).toBeGreaterThan(pillBefore.width)
  expect(await places()).toEqual(before)
})

test('what is said in passing is one line at the foot, over no row, no header and no dialog', async ({ startApp }) => {
  const { page } = await startWithRows(startApp, 40)
  await page.setViewportSize({ width: 900, height: 600 })
  await holdToasts(page)
  const toast = page.locator('.toast')
  for (const name of ['A_1', 'A_2', 'A_3']) await addVariable(page, name, 'x')
  await expect(toast).toHaveCount(1)
  await expect(toast).toContainText('Added A_3')
  const said = await boxOf(toast)
  const list = await boxOf(page.getByTestId('variables-grid'))
  expect(said.y).toBeGreaterThanOrEqual(list.y + list.height)

  await rowOf(page, 'A_1').getByTestId('value-cell').click()
  await page.keyboard.press('ControlOrMeta+c')
  await expect(toast).toContainText('Copied')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = await boxOf(page.getByTestId('import-dialog'))
  expect((await boxOf(toast)).y).toBeGreaterThanOrEqual(dialog.y + dialog.height)
  await expect(toast.getByRole('button', { name: 'Dismiss' })).toBeVisible()
})

test('variables offered in the last row are seen whole', async ({ startApp }) => {
  const { page } = await startWithRows(startApp, 40)
  await page.setViewportSize({ width: 900, height: 600 })
  await page.getByTestId('variables-grid').press('ControlOrMeta+End')
  await rowOf(page, 'ROW_39').getByTestId('value-cell').dblclick()
  const field = page.getByRole('textbox', { name: 'Value of ROW_39' })
  await field.fill('')
  await field.pressSequentially('${ROW_1')
  const option = page.getByRole('option', { name: 'ROW_12' })
  await expect(option).toBeInViewport({ ratio: 1 })
  const { x, y, width, height } = await boxOf(option)
  // Nothing lies over it, and nothing cuts it off.
  expect(
    await page.evaluate(
      ([left, top]) => document.elementFromPoint(left ?? 0, top ?? 0)?.closest('[role="option"]')?.textContent,
      [x + width / 2, y + height / 2],
    ),
  ).toContain('ROW_12')
})

test('the keyboard goes to the first name after creating an environment and to the table after undo, never to nothing', async ({
  startApp,
}) => {
  const { page } = await startApp('holdfast', { workspace: {} })
  await expect(page.getByLabel('New project name')).toBeFocused()
  await createProject(page, 'Fernweh', 'Production')
  await expect(page.getByLabel('New variable name')).toBeFocused()
  await addVariable(page, 'GREETING', 'good day')
  await createEnvironment(page, 'Fernweh', 'Staging')
  await expect(page.getByLabel('New variable name')).toBeFocused()

  await page.locator('[data-testid="environment-item"][data-name="Production"]').click()
  await holdToasts(page)
  await rowOf(page, 'GREETING').getByTestId('value-cell').click()
  await page.keyboard.press('Delete')
  await expectCount(page, 0)
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await expectCount(page, 1)
  await expect(page.getByTestId('variables-grid')).toBeFocused()
})

test('a deleted project is taken back from what is said about it', async ({ startApp }) => {
  const { page } = await startWithRows(startApp, 3)
  await createEnvironment(page, 'Fernweh', 'Staging')
  // What exists on this computer only is deleted with Cancel under the keyboard.
  await expectSync(page, 'synced')
  await holdToasts(page)
  const project = page.locator('[data-testid="project-item"][data-name="Fernweh"]')
  await project.focus()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('button', { name: 'Delete project' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(project).toHaveCount(0)
  const toast = page.locator('.toast')
  await expect(toast).toContainText('Deleted Fernweh')
  await toast.getByRole('button', { name: 'Undo' }).click()
  await expect(project).toBeVisible()
  await page.locator('[data-testid="environment-item"][data-name="Production"]').click()
  await expectCount(page, 3)
})

for (const width of [900, 1600]) {
  test(`heads and the line of a new variable are in line with the cells below, ${width} wide`, async ({ startApp }) => {
    const { page } = await startWithRows(startApp, 3)
    await page.setViewportSize({ width, height: 700 })
    // A row stands before its value has come.
    await expect(page.getByTestId('variable-row').first().getByTestId('value-cell')).toHaveText(/\S/)
    const offsets = await page.evaluate(() => {
      /** The left edge of what is drawn in an element: its text, or its icon. */
      const left = (element: Element | null | undefined) => {
        if (!element) return Number.NaN
        const icon = element.querySelector('svg')
        if (element.textContent.trim() === '' && icon !== null) return icon.getBoundingClientRect().left
        const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT, (node) => (node.textContent?.trim() ? 1 : 3)).nextNode()
        if (text === null) return Number.NaN
        const range = document.createRange()
        range.selectNodeContents(text)
        return range.getBoundingClientRect().left
      }
      const heads = [...document.querySelectorAll('[data-testid="variables-grid"] .head > div')]
      const row = document.querySelector('[data-testid="variable-row"]')
      const adder = document.querySelector('form.adder')
      const cell = (id: string) => left(row?.querySelector(`[id$="-${id}"]`))
      const inner = (selector: string) => {
        const element = adder?.querySelector(selector)
        if (!element) return Number.NaN
        const { paddingLeft, borderLeftWidth } = getComputedStyle(element)
        return element.getBoundingClientRect().left + parseFloat(paddingLeft) + parseFloat(borderLeftWidth)
      }
      const centre = (element: Element | null | undefined) => {
        const box = element?.querySelector('svg')?.getBoundingClientRect()
        return box === undefined ? Number.NaN : box.left + box.width / 2
      }
      return {
        name: left(heads[1]) - cell('name'),
        value: left(heads[2]) - cell('value'),
        type: left(heads[3]) - cell('type'),
        secret: centre(heads[4]) - centre(row?.querySelector('[id$="-secret"]')),
        sync: centre(heads[5]) - centre(row?.querySelector('[id$="-sync"]')),
        newName: inner('input') - cell('name'),
        newValue: inner('textarea') - cell('value'),
        newType: inner('.type') - cell('type'),
        newSecret: centre(adder?.querySelector('.secret')) - centre(row?.querySelector('[id$="-secret"]')),
      }
    })
    for (const [what, offset] of Object.entries(offsets)) expect.soft(Math.abs(offset), what).toBeLessThan(1)
  })
}

test(
  'a row reaches the edge of its table, and its columns stay in line with the head when a scrollbar comes',
  { tag: '@shell' },
  async ({ startApp }) => {
    const { page } = await startWithRows(startApp, 2)
    const grid = page.getByTestId('variables-grid')
    const edges = async (row: Locator) => {
      const [inner, outer] = [await boxOf(row), await boxOf(page.getByRole('main'))]
      return inner.x + inner.width - (outer.x + outer.width)
    }
    expect(await edges(rowOf(page, 'ROW_00'))).toBeCloseTo(0, 0)
    const typeAt = async (name: string) => (await boxOf(rowOf(page, name).getByRole('button', { name: `Type of ${name}` }))).x
    const before = await typeAt('ROW_00')
    await importText(page, rows(60))
    await expectCount(page, 60)
    // The dialog has given the keyboard back to the button that opened it.
    await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeFocused()
    expect(await typeAt('ROW_00')).toBeCloseTo(before, 0)

    await page.keyboard.press('m')
    await expect(page.getByTestId('members-grid')).toBeFocused()
    expect(await edges(page.getByTestId('member-row'))).toBeCloseTo(0, 0)
    // A day, which no column cuts.
    await expect(page.getByTestId('member-row')).toContainText(/(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d/)
    await page.keyboard.press('Escape')
    await expect(grid).toBeFocused()
  },
)

test('an editor brings no scrollbar where the window has room below its row', async ({ startApp }) => {
  const { page } = await startWithRows(startApp, 14)
  const list = page.getByTestId('variables-grid').locator('.scroller')
  const overflow = () => list.evaluate((element) => element.scrollHeight - element.clientHeight)
  for (const cell of ['ROW_03', 'value 3']) {
    await rowOf(page, 'ROW_03').getByText(cell, { exact: true }).dblclick()
    const field = page.getByTestId('editor').getByRole('textbox')
    await expect(field).toBeFocused()
    expect(await overflow()).toBe(0)
    await field.press('Escape')
    await expect(field).toHaveCount(0)
  }
})

test('the list of unsent changes says each thing once, and leaves no room for what was sent', async ({ startApp, service }) => {
  const { page } = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: { A_1: 'x' } } } } })
  await expectSync(page, 'synced')
  const panel = page.getByTestId('queue-panel')
  await openQueue(page)
  const rest = (await boxOf(panel)).height
  await expect(panel).toContainText('All changes synced')
  await closeQueue(page)
  await service.stop()
  for (const name of ['A_2', 'A_3', 'A_4']) await addVariable(page, name, 'x')
  await expectSync(page, 'offline')
  await openQueue(page)
  await expect(panel.getByTestId('queue-row')).toHaveCount(3)
  expect((await boxOf(panel)).height).toBeGreaterThan(rest + 100)
  // A look at one of them leads back to the list.
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const change = page.getByTestId('change-dialog')
  await expect(change.getByRole('button', { name: 'Send now' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel.getByTestId('queue-row')).toHaveCount(3)
  await expect(panel.getByRole('grid')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(change).toContainText('A_3')
  await page.keyboard.press('Escape')
  await service.start()
  await panel.getByRole('button', { name: 'Sync now' }).click()
  await expect(panel).toContainText('All changes synced')
  await expect.poll(async () => (await boxOf(panel)).height).toBeCloseTo(rest, 0)
  await expect.poll(async () => (await panel.innerText()).match(/synced/gi)).toHaveLength(2)
})

test('a rollback that runs at once moves nothing, and says in its place that it is done', async ({ startApp }) => {
  const { page } = await startWithRows(startApp, 2)
  await openVersions(page)
  await saveVersion(page, '', '')
  await expect(versionItem(page, 'v1')).toHaveAttribute('data-sync', 'synced')
  await leaveVersions(page)
  await editVariable(page, 'ROW_00', 'another')
  await expectSync(page, 'synced')
  await openVersions(page)
  await page.evaluate(() => {
    const tops = new Set<number>()
    Object.assign(window, { tops })
    const look = () => {
      const at = document.querySelector('[data-testid="version-list"]')?.getBoundingClientRect().y
      if (at !== undefined) tops.add(at)
      requestAnimationFrame(look)
    }
    look()
  })
  await rollBack(page, { ROW_00: 'updated' })
  await expect(page.getByTestId('rollback-outcome')).toContainText('Rolled back to this version just now')
  await expectSync(page, 'synced')
  await expect(page.locator('.toast').filter({ hasText: /roll/i })).toHaveCount(0)
  expect(await page.evaluate(() => [...(window as unknown as { tops: Set<number> }).tops])).toHaveLength(1)
})

test('Escape gives back what a filter hid, and the row that was found stays the active one', async ({ startApp }) => {
  const { page } = await startApp('holdfast', { workspace: { projects: { Fernweh: { Production: {} } } } })
  await importText(page, rows(30))
  await expectCount(page, 30)
  const grid = page.getByTestId('variables-grid')
  const activeRow = () =>
    grid.evaluate((element) => {
      const cell = document.getElementById(element.getAttribute('aria-activedescendant') ?? '')
      return cell?.closest('[role="row"]')?.getAttribute('data-name')
    })
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeFocused()
  await grid.focus()
  await page.keyboard.press('/')
  await page.keyboard.type('ROW_21')
  await expectCount(page, 1)
  await page.keyboard.press('Enter')
  await expect(grid).toBeFocused()
  await page.keyboard.press('Escape')
  await expectCount(page, 30)
  await expect.poll(activeRow).toBe('ROW_21')
  await expect(grid).toBeFocused()

  // Also when nothing is left to stand on.
  await page.keyboard.press('/')
  await page.keyboard.type('nowhere')
  await expect(page.locator('.empty')).toContainText('No results')
  await page.keyboard.press('Enter')
  await expect(grid).toBeFocused()
  await page.keyboard.press('Escape')
  await expectCount(page, 30)
  await expect.poll(activeRow).toBe('ROW_21')

  // Another screen and back: still there.
  await page.keyboard.press('m')
  await expect(page.getByTestId('members-grid')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(grid).toBeFocused()
  await expect.poll(activeRow).toBe('ROW_21')

  // In the field: the first one clears it, the second one leaves it, and neither goes to the top of the table.
  await page.keyboard.press('/')
  await page.keyboard.type('ROW_17')
  await expectCount(page, 1)
  await page.keyboard.press('Escape')
  await expectCount(page, 30)
  await expect(page.getByLabel('Filter variables')).toBeFocused()
  await expect.poll(activeRow).toBe('ROW_17')
  await page.keyboard.press('Escape')
  await expect(grid).toBeFocused()
  expect(await activeRow()).toBe('ROW_17')
})

test('a screen with nothing to show has the keyboard on its button, and no key reaches what it covers', async ({ startApp }) => {
  const { page } = await startWithRows(startApp, 2)
  await page.getByTestId('variables-grid').focus()
  await page.keyboard.press('v')
  const empty = page.locator('.empty')
  await expect(empty).toContainText('No versions of Production yet')
  await expect(empty.getByRole('button', { name: 'Save version' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByTestId('variables-grid')).toBeFocused()

  await page.keyboard.press('c')
  await expect(empty).toContainText('Only one environment to compare')
  await expect(page.locator('main footer')).not.toContainText('variable')
  await expect(empty.getByRole('button', { name: 'New environment' })).toBeFocused()
  // With the keyboard on what the words cover, Enter would open the editor of a cell that nobody sees.
  await page.getByTestId('compare-grid').focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.keyboard.type('unseen')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(rowOf(page, 'ROW_00').getByTestId('value-cell')).toHaveText('value 0')
  await expect(rowOf(page, 'ROW_01').getByTestId('value-cell')).toHaveText('value 1')
})

test('what is said in passing takes the place of the hints instead of cutting one in half', async ({ startApp }) => {
  const { page } = await startWithRows(startApp, 1)
  const hint = page.locator('footer .hint').last()
  await expect(page.locator('.toast')).toHaveCount(0)
  await expect(hint).toBeVisible()
  await holdToasts(page)
  await addVariable(page, 'ADDED', 'x')
  await expect(page.locator('.toast')).toContainText('Added ADDED')
  await expect(hint).toBeHidden()
})

test('a button that is busy keeps the keyboard', async ({ startApp, service }) => {
  const { page } = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: rows(1) } } } })
  await expectCount(page, 1)
  await openQueue(page)
  const button = page.getByTestId('queue-panel').getByRole('button', { name: 'Sync now' })
  await button.focus()
  for (let round = 0; round < 5; round++) {
    await page.keyboard.press('Enter')
    await expectSync(page, 'synced')
    await expect(button).toBeFocused()
  }
})

test('the choices over a version keep their places when it is rolled back to', async ({ startApp, service }) => {
  const { page } = await startApp('holdfast', { workspace: { service, projects: { Fernweh: { Production: rows(12) } } } })
  await expectCount(page, 12)
  await saveVersion(page, 'v1', '')
  await expectSync(page, 'synced')
  for (const name of ['ROW_00', 'ROW_01']) await editVariable(page, name, 'another')
  await expectSync(page, 'synced')
  await openVersions(page)
  await expect(versionItem(page, 'v1')).toBeVisible()
  const choices = () => Promise.all([/^Differences/, /^All/].map((name) => boxOf(page.getByRole('radio', { name }))))
  await expect(page.getByRole('radio', { name: /^Differences\s+2$/ })).toBeVisible()
  const before = await choices()
  await rollBack(page, { ROW_00: 'updated', ROW_01: 'updated' })
  await expect(page.getByTestId('rollback-outcome')).toBeVisible()
  await expect(page.getByRole('radio', { name: /^Differences\s+0$/ })).toBeVisible()
  expect(await choices()).toEqual(before)
})
