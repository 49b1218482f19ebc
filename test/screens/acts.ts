import { paste } from '../e2e/steps/paste.ts'
import { appears, click, closes, doubleClick, environments, fill, focus, names, pressIn, type Act, type Person } from './person.ts'
import type { Locator } from '@playwright/test'

/** Goes to a row that is on the screen; null: there is none. */
async function goToRow(me: Person): Promise<string | null> {
  const shown = Object.keys(await me.shown())
  if (shown.length === 0) return null
  const name = me.dice.pick(shown)
  return (await click(me.row(name).getByTestId('value-cell'))) ? name : null
}

/** Sometimes an editor stays open while others go on, until the next look for changes of the service. */
async function* linger(me: Person): Act {
  if (!me.dice.chance(0.4)) return
  for (let others = 0; others < 8; others++) yield
  await me.page.waitForTimeout(lookEveryMs)
}

/** A little longer than the time between two looks for changes. */
const lookEveryMs = 5500

/** Types another value into the open editor of a variable, and saves it. */
async function* typeValue(me: Person, name: string, field: Locator): Act {
  if (!(await appears(field))) return
  yield* linger(me)
  yield
  const token = me.token()
  await me.press('ControlOrMeta+a')
  await me.page.keyboard.type(token)
  yield
  if ((await field.count()) === 0 || (await field.inputValue().catch(() => '')) !== token) return
  await me.press('Enter')
  if (await closes(field)) me.saved(name, token)
}

/** Presses a key in the table. */
async function pressInTable(me: Person, key: string): Promise<void> {
  await focus(me.grid)
  await me.press(key)
}

/** Confirms something about whatever the service holds now. */
async function* confirm(me: Person, sure: Locator): Act {
  if (!(await appears(sure))) return
  await me.mayReplaceAll()
  yield
  me.gaveUp()
  await click(sure)
}

async function* edit(me: Person): Act {
  const name = await goToRow(me)
  if (name === null) return
  yield
  await me.press('Enter')
  yield* typeValue(me, name, me.page.getByRole('textbox', { name: `Value of ${name}` }))
}

async function* rename(me: Person): Act {
  const name = await goToRow(me)
  if (name === null) return
  await doubleClick(me.row(name).getByText(name, { exact: true }).first())
  const field = me.page.getByRole('textbox', { name: `Name of ${name}` })
  if (!(await appears(field))) return
  yield
  await fill(field, me.dice.pick(names))
  yield
  await me.press('Enter')
  me.gaveUp()
}

async function* remove(me: Person): Act {
  const name = await goToRow(me)
  if (name === null) return
  yield
  me.gaveUp(name)
  await me.press('Delete')
}

async function* add(me: Person): Act {
  await pressInTable(me, 'n')
  const field = me.page.getByLabel('New variable name')
  if (!(await appears(field))) return
  const [name, token] = [me.dice.pick(names), me.token()]
  await fill(field, name)
  yield
  const value = me.page.getByRole('textbox', { name: 'New variable value' })
  await fill(value, token)
  yield
  await pressIn(value, 'Enter')
  // It takes the next line at once, and gives this one back where it was refused.
  await appears(me.page.locator('form[aria-label="New variable"][aria-busy="false"]'))
  if ((await field.inputValue().catch(() => null)) === '') me.saved(name, token)
  else {
    const replace = me.page.getByRole('button', { name: 'Replace its value' })
    if (me.dice.chance(0.5) && (await replace.count()) > 0 && (await click(replace))) me.saved(name, token)
    // The line is left as empty as it was.
    else await Promise.all([fill(field, ''), fill(value, '')])
  }
}

async function* pasteText(me: Person): Act {
  await focus(me.grid)
  const lines = names.filter(() => me.dice.chance(0.4)).map((name) => ({ name, token: me.token() }))
  if (lines.length === 0) return
  await paste(me.page.locator('*:focus'), lines.map(({ name, token }) => `${name}=${token}\n`).join(''))
  const apply = me.page.getByRole('button', { name: /^Import \d+ variables?$/ })
  if (!(await appears(apply))) return
  yield
  if ((await click(apply)) && (await closes(me.page.getByTestId('import-dialog'))))
    for (const { name, token } of lines) me.saved(name, token)
}

async function* asText(me: Person): Act {
  await pressInTable(me, 't')
  const text = me.page.getByRole('textbox', { name: 'Variables as text' })
  if (!(await appears(text))) return
  const before = await text.innerText()
  yield
  const lines = before.split('\n').filter((line) => line.includes('='))
  if (lines.length === 0) return
  const at = me.dice.below(lines.length)
  const [name = ''] = (lines[at] ?? '').split('=')
  const token = me.token()
  lines[at] = `${name}=${token}`
  await pressIn(text, 'ControlOrMeta+a')
  await paste(text, `${lines.join('\n')}\n`)
  yield
  await click(me.page.getByRole('button', { name: 'Review changes' }))
  const save = me.page.getByRole('button', { name: /^Save \d+ changes?$/ })
  if (!(await appears(save))) return
  yield
  if ((await click(save)) && (await closes(me.page.getByRole('dialog')))) me.saved(name, token)
}

async function* undo(me: Person): Act {
  await focus(me.grid)
  yield
  me.gaveUp()
  await me.press(me.dice.chance(0.7) ? 'ControlOrMeta+z' : 'ControlOrMeta+Shift+z')
}

async function* otherEnvironment(me: Person): Act {
  yield
  await click(me.page.locator(`[data-testid="environment-item"][data-name="${me.dice.pick(environments)}"]`))
}

async function* answer(me: Person): Act {
  await pressInTable(me, 'q')
  const lines = me.page.getByTestId('queue-row')
  if (!(await appears(lines.first(), 1500))) return
  const asked = await me.page.locator('[data-testid="queue-row"][data-state="conflict"]').count()
  if (asked === 0) return
  for (let down = me.dice.below(await lines.count()); down > 0; down--) await me.press('ArrowDown')
  await appears(me.page.getByTestId('conflict-glance'), 1500)
  yield
  me.gaveUp()
  await me.press(me.dice.pick(['m', 't']))
}

async function* compare(me: Person): Act {
  await pressInTable(me, 'c')
  const cells = me.page.getByTestId('compare-cell')
  if (!(await appears(cells.first()))) return
  yield
  const cell = cells.nth(me.dice.below(await cells.count()))
  const name = await cell.evaluate((element) => element.closest<HTMLElement>('[data-name]')?.dataset['name'] ?? '').catch(() => '')
  if (!(await click(cell))) return
  await me.press('Enter')
  yield* typeValue(me, name, me.page.getByRole('textbox', { name: /^Value of / }))
}

async function* moveOrCopy(me: Person): Act {
  const name = await goToRow(me)
  if (name === null) return
  await me.press('Shift+F10')
  const isMove = me.dice.chance(0.6)
  const item = me.page.getByRole('menuitem', { name: isMove ? 'Move to…' : 'Copy to…' })
  if (!(await appears(item)) || !(await click(item))) return
  const dialog = me.page.getByRole('dialog')
  if (!(await appears(dialog))) return
  yield
  if (me.dice.chance(0.5) && (await click(dialog.getByText('Overwrite', { exact: true })))) await me.mayReplaceAll()
  yield
  me.gaveUp(name)
  await click(dialog.getByRole('button', { name: isMove ? 'Move' : 'Copy', exact: true }))
}

/** Restores an earlier value from the history of the environment. */
async function* restore(me: Person): Act {
  const name = await goToRow(me)
  if (name === null) return
  await me.press('Shift+F10')
  if (!(await click(me.page.getByRole('menuitem', { name: /history/i })))) return
  const earlier = me.page.getByTestId('history-dialog').getByRole('button', { name: /^Restore/ })
  if (!(await appears(earlier.first()))) return
  yield
  me.gaveUp(name)
  await click(earlier.nth(me.dice.below(await earlier.count())))
}

/** Deletes some variables at once. */
async function* removeSome(me: Person): Act {
  if ((await goToRow(me)) === null) return
  for (let more = 1 + me.dice.below(3); more > 0; more--) await me.press('Shift+ArrowDown')
  yield
  me.gaveUp()
  await me.press('Delete')
}

/** Answers a question by a value of one's own. */
async function* settleByTyping(me: Person): Act {
  await pressInTable(me, 'q')
  const asked = me.page.locator('[data-testid="queue-row"][data-state="conflict"]')
  if (!(await appears(asked.first(), 1500)) || !(await click(asked.first()))) return
  await me.press('Enter')
  const change = me.page.getByTestId('conflict-review').getByRole('button', { name: 'Edit' })
  if (!(await appears(change)) || !(await click(change))) return
  yield
  me.gaveUp()
  await me.press('ControlOrMeta+a')
  await me.page.keyboard.type(me.token())
  yield
  await me.press('ControlOrMeta+Enter')
}

async function* removeEnvironment(me: Person): Act {
  await click(me.page.getByRole('treeitem', { name: /^Staging/ }), 'right')
  const item = me.page.getByRole('menuitem', { name: /^Delete/ })
  if (!(await appears(item)) || !(await click(item))) return
  yield* confirm(me, me.page.getByRole('alertdialog').getByRole('button', { name: /^Delete/ }))
}

async function* rollBack(me: Person): Act {
  await focus(me.grid)
  if (me.dice.chance(0.5)) {
    await me.press('ControlOrMeta+s')
    if (await appears(me.page.getByTestId('save-version'))) await me.press('Enter')
    return
  }
  await me.press('v')
  if (!(await appears(me.page.getByTestId('version-item').first(), 1500))) return
  yield
  await me.press('r')
  yield* confirm(me, me.page.getByTestId('rollback-dialog').getByRole('button', { name: 'Roll back' }))
}

async function* syncNow(me: Person): Act {
  await pressInTable(me, 'q')
  const now = me.page.getByTestId('queue-panel').getByRole('button', { name: 'Sync now' })
  if (!(await appears(now))) return
  yield
  await click(now)
}

async function* reload(me: Person): Act {
  await me.eyes.known()
  yield
  await me.page.reload()
  await appears(me.page.getByTestId('environment-item').first(), 15_000)
}

/** What people do, and how often. */
export const acts = {
  edit,
  rename,
  remove,
  add,
  pasteText,
  asText,
  undo,
  otherEnvironment,
  answer,
  compare,
  moveOrCopy,
  restore,
  removeSome,
  settleByTyping,
  removeEnvironment,
  rollBack,
  syncNow,
  reload,
}

export type ActName = keyof typeof acts

export const usual: readonly ActName[] = [
  ...Array<ActName>(6).fill('edit'),
  ...Array<ActName>(4).fill('syncNow'),
  ...Array<ActName>(3).fill('answer'),
  ...Array<ActName>(2).fill('otherEnvironment'),
  ...Array<ActName>(2).fill('add'),
  ...Array<ActName>(2).fill('compare'),
  ...([
    'rename',
    'remove',
    'pasteText',
    'asText',
    'undo',
    'undo',
    'moveOrCopy',
    'reload',
    'restore',
    'removeSome',
    'settleByTyping',
    'removeEnvironment',
    'rollBack',
  ] as const),
]
