import { describe, expect, test } from 'vitest'
import type { FoundName } from '../../../electron/bridge/rows.ts'
import { chordText, matchesChord } from '../../../src/domain/chord.ts'
import { commandIds, commandInfo } from '../../../src/domain/commands.ts'
import { commandItem, foundGroups, matchCommands, restingGroups } from '../../../src/domain/palette-groups.ts'

/** `Ctrl+Shift+k`: a key press as the browser tells it; `code` is where the key is. */
const pressed = (text: string, code = '') => {
  const names = text.split('+')
  const has = (name: string) => names.includes(name)
  return { key: names.at(-1) ?? '', code, ctrlKey: has('Ctrl'), metaKey: has('Meta'), shiftKey: has('Shift'), altKey: has('Alt') }
}

describe('keys', () => {
  test.each([
    ['Mod+K', 'Ctrl+k', true],
    ['Mod+K', 'Meta+k', true],
    ['Mod+K', 'k', false],
    ['Mod+K', 'Ctrl+Shift+K', false],
    ['Mod+K', 'Ctrl+Alt+k', false],
    ['N', 'n', true],
    ['N', 'Shift+N', false],
    ['?', 'Shift+?', true],
    ['?', '?', true],
    ['/', 'Shift+/', true],
    ['Mod+,', 'Ctrl+,', true],
    ['Shift+ ', 'Shift+ ', true],
    ['Shift+ ', ' ', false],
    ['F2', 'F2', true],
    ['Escape', 'Escape', true],
  ])('%j is pressed by %j: %s', (chord, press, is) => {
    expect(matchesChord(chord, pressed(press))).toBe(is)
  })

  test.each([
    ['Mod+K', 'Ctrl+л', 'KeyK', true],
    ['Mod+Shift+Z', 'Ctrl+Shift+Я', 'KeyZ', true],
    ['N', 'т', 'KeyN', true],
    ['N', 'Shift+Т', 'KeyN', false],
    ['Mod+S', 'Ctrl+σ', 'KeyS', true],
    ['Mod+,', 'Ctrl+б', 'Comma', true],
    ['/', 'ظ', 'Slash', true],
    ['/', 'Shift+/', 'Backslash', true],
    ['/', '.', 'Slash', false],
    ['2', '۲', 'Digit2', true],
    // A layout with Latin letters has its own places for them.
    ['Mod+Z', 'Ctrl+w', 'KeyZ', false],
    ['Mod+W', 'Ctrl+w', 'KeyZ', true],
    ['2', 'é', 'Digit2', false],
    ['Mod+,', 'Ctrl+,', 'KeyM', true],
    ['Mod+M', 'Ctrl+,', 'KeyM', false],
    ['/', '§', 'Slash', false],
  ])('%j is pressed by %j at the place %s: %s', (chord, press, code, is) => {
    expect(matchesChord(chord, pressed(press, code))).toBe(is)
  })

  test.each([
    ['Mod+K', 'Ctrl K', '⌘ K'],
    ['Mod+Shift+Z', 'Ctrl Shift Z', '⌘ ⇧ Z'],
    ['Shift+ ', 'Shift Space', '⇧ Space'],
    ['Delete', 'Del', 'Del'],
    ['?', '?', '?'],
  ])('%j is written %j, on a Mac %j', (chord, other, mac) => {
    expect([chordText(chord, false), chordText(chord, true)]).toEqual([other, mac])
  })

  test('no two commands share keys where both would get them', () => {
    const taken = new Map<string, string>()
    for (const id of commandIds) {
      const { keys, group, chords } = commandInfo(id)
      for (const chord of chords) {
        const where = keys === 'place' ? `${group} ${chord}` : chord
        expect([where, taken.get(where)]).toEqual([where, undefined])
        taken.set(where, id)
      }
    }
  })
})

const found = (kind: FoundName['kind'], name: string): FoundName => ({
  kind,
  workspaceId: 'w',
  id: `${kind} ${name}`,
  name,
  where: '',
  score: 1,
  ranges: [],
})

describe('the palette', () => {
  test.each([
    ['comp', 'compare.open'],
    ['lock', 'workspace.lock'],
    ['diff', 'compare.open'],
    ['dark', 'theme.dark'],
  ] as const)('finds by %j the command %s', (text, id) => {
    expect(matchCommands(text, commandIds).map((one) => one.id)).toContain(id)
  })

  test('letters strewn about inside words find no command', () => {
    expect(matchCommands('prd', commandIds)).toEqual([])
  })

  test('shows the group of the best match first', () => {
    const titles = (text: string, names: FoundName[]) => foundGroups(text, commandIds, names, () => 0).map((group) => group.title)
    expect(titles('Compare environments', [found('variable', 'COMPARE_ENVIRONMENTS_ALL')])[0]).toBe('Commands')
    expect(titles('prod', [found('variable', 'UPROOT_DEPTH'), found('environment', 'Production')])).toEqual(['Environments', 'Variables'])
  })

  test('shows those of the open workspace first among equal matches, and no weaker one before a better', () => {
    const inWorkspace = (workspaceId: string, score: number) => ({ ...found('environment', 'Staging'), workspaceId, score })
    const names = [inWorkspace('other', 3), inWorkspace('other', 2), inWorkspace('open', 2)]
    const [environments] = foundGroups('staging', [], names, ({ workspaceId }) => (workspaceId === 'open' ? 1 : 0))
    const places = environments?.items.map((item) => item.kind === 'place' && item.found)
    expect(places).toEqual([names[0], names[2], names[1]])
  })

  test('lets no kind bury the others', () => {
    const names = Array.from({ length: 50 }, (_, at) => found('variable', `KEY_${at}`))
    const [variables] = foundGroups('key', [], names, () => 0)
    expect(variables?.items).toHaveLength(24)
  })

  test('shows what was used last first, and no command twice', () => {
    const groups = restingGroups([commandItem('theme.dark')], ['theme.light', 'theme.dark'])
    expect(groups.map((group) => [group.title, group.items.map((item) => item.key)])).toEqual([
      ['Recent', ['command theme.dark']],
      ['Commands', ['command theme.light']],
    ])
  })
})
