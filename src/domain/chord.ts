import { latinKey } from './latin-key.ts'

/**
 * Keys pressed together, written as `Mod+Shift+K`: `Mod` is Cmd on a Mac and Ctrl elsewhere, the last part is the key as
 * `KeyboardEvent.key` names it, letters in any case and on any layout. A sign such as `?` or `/` means that character, however it is typed.
 */
export type Chord = string

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

const parts = (chord: Chord): { key: string; mod: boolean; shift: boolean; alt: boolean } => {
  const names = chord.split('+')
  return {
    key: chord.slice(chord.lastIndexOf('+') + 1),
    mod: names.includes('Mod'),
    shift: names.includes('Shift'),
    alt: names.includes('Alt'),
  }
}

/** Whether a key press is this chord, and no more than it. */
export const matchesChord = (chord: Chord, event: Pressed): boolean => {
  const { key, mod, shift, alt } = parts(chord)
  if ((event.ctrlKey || event.metaKey) !== mod || event.altKey !== alt) return false
  if (key.toLowerCase() !== latinKey(event).toLowerCase()) return false
  // Where a sign is on the keyboard, and whether with Shift, differs by country.
  return isSign(key) || event.shiftKey === shift
}

const isSign = (key: string): boolean => key.length === 1 && key.toLowerCase() === key.toUpperCase() && key !== ' '

const words: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Delete: 'Del',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  ContextMenu: 'Menu',
}
const macWords: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' }

/** The chord as it is printed on keys: `Ctrl Shift K`, on a Mac `⌘ ⇧ K`. */
export const chordText = (chord: Chord, mac: boolean): string =>
  chord
    .split('+')
    .map(
      (name) =>
        (mac ? macWords[name] : name === 'Mod' ? 'Ctrl' : undefined) ?? words[name] ?? (name.length === 1 ? name.toUpperCase() : name),
    )
    .join(' ')
