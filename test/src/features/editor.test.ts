// @vitest-environment happy-dom
import { flushSync } from 'svelte'
import { describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { EditedVariable } from '../../../electron/bridge/rows.ts'
import { Drafts, draftsOf, newEdit, type Edit } from '../../../src/features/variables/drafts.svelte.ts'
import Editor from '../../../src/features/variables/Editor.svelte'
import { aVariableRow } from '../support/a-variable-row.ts'
import { fieldOf, labelled, mounted, press, type } from '../support/mounted.ts'

const row = aVariableRow()

const untouched: EditedVariable = { name: 'PORT', value: { state: 'shown', value: '1' }, updatedAt: null, updatedBy: null, rev: 0 }

/** `now`: the row as the application has it by now; null when it is gone. */
const setUp = (part: Partial<Edit> = {}, now: EditedVariable | null = untouched) => {
  const drafts = new Drafts()
  const { text = '1' } = part
  drafts.edit = { ...newEdit(part.row ?? row, 0, part.field ?? 'value', text), ...part }
  const handlers = { onsave: vi.fn(), oncancel: vi.fn(), onkeep: vi.fn() }
  const bridge = {
    query: async (name: string) => ({ ok: true, value: name === 'variables.is-taken' ? { by: 'theirs' } : now }),
    onPush: () => () => {},
  } as unknown as Bridge
  const root = mounted(Editor, { workspaceId: 'w', edit: drafts.edit, ...handlers } as never, bridge)
  return { root, edit: drafts.edit, ...handlers }
}

describe('the editor of a value', () => {
  test('saves on Enter, breaks the line on Shift Enter, cancels on Escape', () => {
    const { root, onsave, oncancel } = setUp()
    const field = fieldOf(root, 'Value of PORT')
    press(field, 'Enter', { shiftKey: true })
    expect(onsave).not.toHaveBeenCalled()
    press(field, 'Enter')
    expect(onsave).toHaveBeenCalledOnce()
    press(field, 'Escape')
    expect(oncancel).toHaveBeenCalledOnce()
  })

  test('keeps its keys to itself, so that the table below does not act on them', () => {
    const { root } = setUp()
    const onKey = vi.fn()
    document.body.addEventListener('keydown', onKey)
    press(labelled(root, 'Value of PORT'), 'Delete')
    expect(onKey).not.toHaveBeenCalled()
  })

  test('lets nothing correct, complete or capitalise a value', () => {
    const { root } = setUp()
    const field = labelled(root, 'Value of PORT')
    expect(['autocomplete', 'autocorrect', 'autocapitalize', 'spellcheck'].map((name) => field.getAttribute(name))).toEqual([
      'off',
      'off',
      'off',
      'false',
    ])
  })

  test('warns of a value that does not read as its type, without standing in the way', () => {
    const { root, onsave } = setUp()
    const field = fieldOf(root, 'Value of PORT')
    type(field, 'many')
    expect(root.textContent).toContain('isn’t a number')
    press(field, 'Enter')
    expect(onsave).toHaveBeenCalledOnce()
  })

  test('turns a boolean by its switch, in its own spelling; Enter saves and Escape cancels', () => {
    const { root, edit, onsave, oncancel } = setUp({ row: { ...row, type: 'boolean' }, text: 'TRUE' })
    const turn = labelled(root, 'Value of PORT')
    expect(turn.getAttribute('aria-checked')).toBe('true')
    turn.click()
    flushSync()
    expect([edit.text, turn.getAttribute('aria-checked')]).toEqual(['FALSE', 'false'])
    press(turn, 'Enter')
    expect(onsave).toHaveBeenCalledOnce()
    press(turn, 'Escape')
    expect(oncancel).toHaveBeenCalledOnce()
  })

  test('keeps what a boolean is that is none, until somebody sets it', () => {
    const { root, edit } = setUp({ row: { ...row, type: 'boolean' }, text: 'on demand' })
    expect(fieldOf(root, 'Value of PORT').value).toBe('on demand')
    expect(root.querySelector('[role="status"]')?.textContent).toContain('A boolean is true or false')
    const set = [...root.querySelectorAll('button')].find((button) => button.textContent === 'Set false')
    set?.click()
    flushSync()
    expect(edit.text).toBe('false')
    expect(labelled(root, 'Value of PORT').getAttribute('aria-checked')).toBe('false')
  })

  test('says what saving does to a value that cannot be read', () => {
    expect(setUp({ unreadable: true, row: { ...row, type: 'string' }, text: '' }).root.textContent).toContain('Saving replaces it')
  })

  test('shows why it was refused, keeps the text, and forgets the reason at the next key', () => {
    const { root, edit } = setUp({ text: 'x', error: 'The value is too long.' })
    const field = fieldOf(root, 'Value of PORT')
    expect(root.querySelector('[role="alert"]')?.textContent).toBe('The value is too long.')
    expect(field.value).toBe('x')
    type(field, 'xy')
    expect(edit.error).toBeNull()
  })

  test('offers to keep the text as a new variable when its row is gone', () => {
    const { root, onkeep } = setUp({ gone: true, error: 'This variable does not exist any more.' })
    const button = [...root.querySelectorAll('button')].find((candidate) => candidate.textContent?.includes('Keep as a new variable'))
    button?.click()
    expect(onkeep).toHaveBeenCalledOnce()
  })
})

test('what is typed in one environment waits there while another one is looked at', () => {
  draftsOf('one').addition.name = 'HALF_TYPED'
  expect(draftsOf('two').addition.name).toBe('')
  expect(draftsOf('one').addition.name).toBe('HALF_TYPED')
})

describe('a row that others changed while somebody types', () => {
  const strip = (root: HTMLElement) => root.querySelector('[data-testid="changed-since"]')?.textContent ?? null
  const theirs: EditedVariable = { ...untouched, value: { state: 'shown', value: '2' }, updatedBy: 'ada@example.org', rev: 3 }

  test.each([
    { what: 'who, what it was and what it is', now: theirs, says: ['ada@example.org', 'Was 1', 'Now 2'] },
    { what: 'that it was another field', now: { ...theirs, value: untouched.value }, says: ['ada@example.org', 'other fields'] },
    { what: 'that it was deleted', now: null, says: ['was deleted while you were editing'] },
  ])('the editor tells $what, and keeps what is typed', async ({ now, says }) => {
    const { root } = setUp({}, now)
    type(fieldOf(root, 'Value of PORT'), 'typed')
    await vi.waitFor(() => expect(strip(root)).not.toBeNull())
    for (const each of says) expect(strip(root)?.replaceAll(/\s+/g, ' ')).toContain(each)
    expect(fieldOf(root, 'Value of PORT').value).toBe('typed')
  })

  test('an editor of a new variable tells of one that others created under its name, and goes over it once that was read', async () => {
    vi.useFakeTimers()
    try {
      const { root, edit } = setUp({ row: { ...row, id: '' }, text: 'mine' }, theirs)
      await vi.waitFor(() => expect(strip(root)).not.toBeNull())
      for (const each of ['ada@example.org added PORT', 'Was missing', 'Now 2'])
        expect(strip(root)?.replaceAll(/\s+/g, ' ')).toContain(each)
      expect(edit.over).toBeNull()
      vi.advanceTimersByTime(1000)
      expect([edit.over, edit.seen, edit.text]).toEqual(['theirs', 3, 'mine'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('it says nothing while nobody was at it', async () => {
    const { root } = setUp()
    await new Promise((resolve) => setImmediate(resolve))
    flushSync()
    expect(strip(root)).toBeNull()
  })

  test('what is saved counts as decided on theirs once that stood there long enough to be read', async () => {
    vi.useFakeTimers()
    try {
      const { root, edit } = setUp({}, theirs)
      await vi.waitFor(() => expect(strip(root)).not.toBeNull())
      expect(edit.seen).toBe(0)
      vi.advanceTimersByTime(1000)
      expect(edit.seen).toBe(3)
    } finally {
      vi.useRealTimers()
    }
  })
})
