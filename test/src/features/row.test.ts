// @vitest-environment happy-dom
import { describe, expect, test, vi } from 'vitest'
import type { RowSync, ShownValue, VariableRow } from '../../../electron/bridge/rows.ts'
import Row from '../../../src/features/variables/Row.svelte'
import { aVariableRow } from '../support/a-variable-row.ts'
import { mounted } from '../support/mounted.ts'

interface Look {
  row?: Partial<VariableRow>
  shown?: ShownValue
  problem?: string
  revealed?: boolean
}

const drawn = ({ row = {}, shown, problem, revealed = false }: Look) => {
  const openChange = vi.fn<(row: VariableRow) => void>()
  const more = { index: 0, resolved: null, selected: false, active: null, open: false, actions: { openChange } }
  const root = mounted(Row, { row: aVariableRow(row), shown, problem: problem ?? null, revealed, ...more } as never)
  const labels = (cell: string) =>
    [...root.querySelectorAll(`#cell-0-${cell} [aria-label]`)].map((element) => element.getAttribute('aria-label'))
  return { root, openChange, labels }
}

const valueOf = (value: string): ShownValue => ({ id: 'v', rev: 0, state: 'shown', value })

describe('the mark beside a value', () => {
  const noNumber = 'This isn’t a number. Edit it, or change the type to string.'
  const noBoolean = 'A boolean is true or false. Edit it, or change the type to string.'
  test.each<[string, Look, string | null]>([
    ['a number that is one', { shown: valueOf('80') }, null],
    ['a number that is none', { shown: valueOf('abc') }, noNumber],
    ['a boolean that is none', { row: { type: 'boolean' }, shown: valueOf('maybe') }, noBoolean],
    ['any text', { row: { type: 'string' }, shown: valueOf('maybe') }, null],
    ['a type that is not known', { row: { type: null }, shown: valueOf('maybe') }, null],
    ['an empty number', { row: { isEmpty: true } }, noNumber],
    ['a reference, which may become a number', { shown: valueOf('${OTHER}') }, null],
    ['a reference that leads nowhere first', { shown: valueOf('a${OTHER}'), problem: 'Leads nowhere.' }, 'Leads nowhere.'],
    ['a value that has not come', {}, null],
    ['a masked value', { row: { isSecret: true }, shown: { id: 'v', rev: 0, state: 'masked' } }, null],
    ['a secret that was hidden again', { row: { isSecret: true }, shown: valueOf('abc') }, null],
    ['a secret that was revealed', { row: { isSecret: true }, shown: valueOf('abc'), revealed: true }, noNumber],
  ])('%s', (_, look, expected) => {
    const { root } = drawn(look)
    const mark = root.querySelector('#cell-0-value .odd')
    expect([mark?.getAttribute('aria-label') ?? null, mark?.getAttribute('data-tip') ?? null]).toEqual([expected, expected])
  })
})

test('a name or value cannot hide characters that reverse or split it', () => {
  const { root } = drawn({ row: { name: 'A\u202EB' }, shown: valueOf('x\u200By') })
  expect(root.querySelector('#cell-0-name .text')?.textContent).toBe('A[U+202E]B')
  expect(root.querySelector('#cell-0-value .text')?.textContent).toBe('x[U+200B]y')
})

describe('where a row stands', () => {
  test.each<[RowSync, string | null, string]>([
    ['synced', null, 'Synced'],
    ['queued', null, 'Saved on this computer, not synced yet'],
    ['queued', 'The service cannot be reached.', 'The service cannot be reached.'],
    ['sending', null, 'Sending'],
  ])('%s is said', (sync, syncReason, words) => {
    expect(drawn({ row: { sync, syncReason, changeId: sync === 'synced' ? null : 'c' } }).labels('sync')).toEqual([words])
  })

  test.each<[RowSync, string | null, string]>([
    ['blocked', 'This service offers no way of creating a variable.', 'This service offers no way of creating a variable.'],
    ['conflict', null, 'Someone else changed it too.'],
    ['failed', 'Refused. The service says: “Too long.”', 'Refused. The service says: “Too long.”'],
  ])('%s is said with its reason by what opens the change', (sync, syncReason, words) => {
    const { root, openChange, labels } = drawn({ row: { sync, syncReason, changeId: 'c' } })
    expect(labels('sync')[0]).toBe(`${words} Open the change to PORT`)
    root.querySelector<HTMLElement>('#cell-0-sync button')?.click()
    expect(openChange).toHaveBeenCalledOnce()
  })
})
