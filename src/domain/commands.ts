import type { CommandName } from '../../electron/bridge/contract.ts'
import { matchesChord, type Chord } from './chord.ts'

export type CommandGroup =
  'Everywhere' | 'Table' | 'Compare' | 'Versions' | 'Members' | 'Queue' | 'Unverified values' | 'Sidebar' | 'Workspace'

export interface CommandInfo {
  /** The label in menus. */
  name: string
  group: CommandGroup
  /** The first is the one that is shown. */
  chords: readonly Chord[]
  /**
   * window: the keys work everywhere, except while typing or under a dialog. typing: also while typing. anywhere: also under a dialog.
   * place: they belong to what has the focus, which takes them itself.
   */
  keys: 'window' | 'typing' | 'anywhere' | 'place'
  /** Other words a user may search for. */
  also?: string
  /** The command of the application that it leads to: not listed where the user may not run it. */
  needs?: CommandName
}

/** Every command the window knows: menus, keys, the palette and the list of shortcuts all read it here. */
export const commandInfos = {
  'palette.open': { name: 'Find or run anything', group: 'Everywhere', chords: ['Mod+K'], keys: 'typing', also: 'search palette go to' },
  'shortcuts.open': { name: 'Keyboard shortcuts', group: 'Everywhere', chords: ['?'], keys: 'window', also: 'help keys cheat sheet' },
  'edit.undo': { name: 'Undo', group: 'Everywhere', chords: ['Mod+Z'], keys: 'place' },
  'edit.redo': { name: 'Redo', group: 'Everywhere', chords: ['Mod+Shift+Z', 'Mod+Y'], keys: 'place' },
  'edit.discard': { name: 'Discard what you typed (it can be restored)', group: 'Everywhere', chords: ['Escape'], keys: 'place' },
  'compare.open': { name: 'Compare environments', group: 'Everywhere', chords: ['C'], keys: 'window', also: 'diff matrix side by side' },
  'versions.open': {
    name: 'Versions',
    group: 'Everywhere',
    chords: ['V'],
    keys: 'window',
    also: 'history snapshots rollback restore',
  },
  'versions.save': {
    name: 'Save version…',
    group: 'Everywhere',
    chords: ['Mod+S'],
    keys: 'window',
    also: 'snapshot checkpoint backup',
    needs: 'versions.create',
  },
  'queue.open': { name: 'Unsent changes', group: 'Everywhere', chords: ['Q'], keys: 'window', also: 'queue sync pending conflicts' },
  'view.filter': { name: 'Filter by name', group: 'Everywhere', chords: ['/', 'Mod+F'], keys: 'window', also: 'search find' },
  'view.text': {
    name: 'Edit environment as text',
    group: 'Everywhere',
    chords: ['T'],
    keys: 'window',
    also: 'dotenv raw bulk edit',
    needs: 'import.apply',
  },

  'table.new': { name: 'New variable', group: 'Table', chords: ['N'], keys: 'window', also: 'add create', needs: 'variables.create' },
  'table.edit': { name: 'Edit', group: 'Table', chords: ['Enter', 'F2'], keys: 'place' },
  'table.reveal': { name: 'Reveal or hide value', group: 'Table', chords: [' '], keys: 'place' },
  'table.copy': { name: 'Copy value', group: 'Table', chords: ['Mod+C'], keys: 'place' },
  'table.delete': { name: 'Delete', group: 'Table', chords: ['Delete', 'Backspace'], keys: 'place' },
  'table.extend': { name: 'Extend selection', group: 'Table', chords: ['Shift+ArrowDown', 'Shift+ArrowUp'], keys: 'place' },
  'table.all': { name: 'Select all', group: 'Table', chords: ['Mod+A'], keys: 'place' },
  'table.none': { name: 'Clear selection and hide values', group: 'Table', chords: ['Escape'], keys: 'place' },
  'table.break': { name: 'Insert a line break', group: 'Table', chords: ['Shift+Enter'], keys: 'place' },
  'table.save': { name: 'Save in the large editor', group: 'Table', chords: ['Mod+Enter'], keys: 'place' },
  'table.import': {
    name: 'Import a file or pasted text…',
    group: 'Table',
    chords: [],
    keys: 'place',
    also: 'upload paste dotenv',
    needs: 'import.apply',
  },
  'table.export': {
    name: 'Export or copy as…',
    group: 'Table',
    chords: [],
    keys: 'place',
    also: 'save file dotenv json yaml shell docker kubernetes',
  },
  'table.history': { name: 'Value history', group: 'Table', chords: [], keys: 'place', also: 'earlier deleted restore undelete' },

  'compare.edit': { name: 'Edit, or create where missing', group: 'Compare', chords: ['Enter', 'F2'], keys: 'place' },
  'compare.reveal': { name: 'Reveal or hide value', group: 'Compare', chords: [' '], keys: 'place' },
  'compare.reveal-row': { name: 'Reveal or hide row', group: 'Compare', chords: ['Shift+ '], keys: 'place' },
  'compare.copy': { name: 'Copy value', group: 'Compare', chords: ['Mod+C'], keys: 'place' },
  'compare.fill': { name: 'Copy value where missing', group: 'Compare', chords: ['F'], keys: 'place' },
  'compare.fill-all': {
    name: 'Copy all missing variables here…',
    group: 'Compare',
    chords: [],
    keys: 'place',
    also: 'fill missing',
    needs: 'variables.copy-to',
  },
  'compare.menu': { name: 'Cell menu', group: 'Compare', chords: ['Shift+F10', 'ContextMenu'], keys: 'place' },
  'compare.all': { name: 'Show all variables', group: 'Compare', chords: ['1'], keys: 'window' },
  'compare.differences': { name: 'Show only differences', group: 'Compare', chords: ['2'], keys: 'window' },
  'compare.missing': { name: 'Show only missing', group: 'Compare', chords: ['3'], keys: 'window' },
  'compare.pair': { name: 'Compare two side by side', group: 'Compare', chords: ['S'], keys: 'window', also: 'diff' },
  'compare.close': { name: 'Back to the environment', group: 'Compare', chords: ['Escape'], keys: 'place' },

  'versions.roll-back': {
    name: 'Roll back to version…',
    group: 'Versions',
    chords: ['R'],
    keys: 'window',
    also: 'restore revert',
    needs: 'versions.rollback',
  },
  'versions.differences': { name: 'Toggle differences only', group: 'Versions', chords: ['D'], keys: 'window' },
  'versions.look': { name: 'Go to its variables', group: 'Versions', chords: ['Enter', 'ArrowRight'], keys: 'place' },
  'versions.reveal': { name: 'Reveal or hide both values', group: 'Versions', chords: [' '], keys: 'place' },
  'versions.copy': { name: 'Copy value from version', group: 'Versions', chords: ['Mod+C'], keys: 'place' },
  'versions.list': { name: 'Back to version list', group: 'Versions', chords: ['ArrowLeft'], keys: 'place' },
  'versions.discard': { name: 'Cancel pending version', group: 'Versions', chords: ['Delete', 'Backspace'], keys: 'place' },
  'versions.close': { name: 'Back', group: 'Versions', chords: ['Escape'], keys: 'place' },

  'members.invite': {
    name: 'Invite someone',
    group: 'Members',
    chords: ['I'],
    keys: 'window',
    also: 'add member',
    needs: 'members.invite',
  },
  'members.role': { name: 'Change role', group: 'Members', chords: ['Enter', 'F2'], keys: 'place' },
  'members.remove': { name: 'Remove, or cancel a pending change', group: 'Members', chords: ['Delete', 'Backspace'], keys: 'place' },
  'members.close': { name: 'Back to the environment', group: 'Members', chords: ['Escape'], keys: 'place' },

  'queue.look': { name: 'Open change', group: 'Queue', chords: ['Enter'], keys: 'place' },
  'queue.reveal': { name: 'Reveal or hide its values', group: 'Queue', chords: [' '], keys: 'place' },
  'queue.go': { name: 'Go to its row', group: 'Queue', chords: ['E'], keys: 'place' },
  'queue.retry': { name: 'Try again now', group: 'Queue', chords: ['R'], keys: 'place' },
  'queue.keep-mine': { name: 'Keep mine in a conflict', group: 'Queue', chords: ['M'], keys: 'place' },
  'queue.take-theirs': { name: 'Take theirs in a conflict', group: 'Queue', chords: ['T'], keys: 'place' },
  'unverified.reveal': { name: 'Reveal or hide an Unverified value', group: 'Unverified values', chords: [' '], keys: 'place' },
  'unverified.accept': { name: 'Accept an Unverified value', group: 'Unverified values', chords: ['A'], keys: 'place' },
  'unverified.restore': { name: 'Restore the last verified value', group: 'Unverified values', chords: ['R'], keys: 'place' },
  'unverified.delete': {
    name: 'Delete a variable whose value is Unverified',
    group: 'Unverified values',
    chords: ['Delete', 'Backspace'],
    keys: 'place',
  },
  'queue.discard': { name: 'Discard change', group: 'Queue', chords: ['Delete', 'Backspace'], keys: 'place' },

  'tree.open': { name: 'Open, expand or collapse', group: 'Sidebar', chords: ['Enter'], keys: 'place' },
  'tree.rename': { name: 'Rename', group: 'Sidebar', chords: ['F2'], keys: 'place' },
  'tree.delete': { name: 'Delete', group: 'Sidebar', chords: ['Delete', 'Backspace'], keys: 'place' },
  'tree.new-project': { name: 'New project', group: 'Sidebar', chords: [], keys: 'place', also: 'add create', needs: 'projects.create' },
  'tree.new-environment': {
    name: 'New environment',
    group: 'Sidebar',
    chords: [],
    keys: 'place',
    also: 'add create',
    needs: 'environments.create',
  },

  'members.open': { name: 'Members and roles', group: 'Workspace', chords: ['M'], keys: 'window', also: 'team people invite users' },
  'tracked.open': { name: 'Tracked names…', group: 'Workspace', chords: [], keys: 'place', also: 'track follow slug list' },
  'workspace.sync': { name: 'Sync now', group: 'Workspace', chords: [], keys: 'place', also: 'push pull refresh' },
  'workspace.pause': { name: 'Pause sync', group: 'Workspace', chords: [], keys: 'place', also: 'stop offline hold' },
  'workspace.resume': { name: 'Resume sync', group: 'Workspace', chords: [], keys: 'place', also: 'start online' },
  'workspace.history': {
    name: 'Value history of the workspace',
    group: 'Workspace',
    chords: [],
    keys: 'place',
    also: 'earlier deleted restore',
  },
  'workspace.unverified': {
    name: 'Review Unverified values…',
    group: 'Workspace',
    chords: [],
    keys: 'place',
    also: 'security trust accept verify forged',
  },
  'workspace.bind': {
    name: 'Accept only verified values…',
    group: 'Workspace',
    chords: [],
    keys: 'place',
    also: 'security bind seal trust upgrade',
    needs: 'unverified.bind',
  },
  'workspace.deleted': {
    name: 'Restore deleted projects and environments…',
    group: 'Workspace',
    chords: [],
    keys: 'place',
    also: 'undelete trash recover bin',
  },
  'workspace.export-unsent': { name: 'Export unsent changes…', group: 'Workspace', chords: [], keys: 'place', also: 'backup queue' },
  'workspace.rename': {
    name: 'Rename workspace…',
    group: 'Workspace',
    chords: [],
    keys: 'place',
    also: 'name',
    needs: 'workspaces.rename',
  },
  'workspace.add': { name: 'Add workspace…', group: 'Workspace', chords: [], keys: 'place', also: 'connect service new' },
  'workspace.recovery': { name: 'Show workspace key…', group: 'Workspace', chords: [], keys: 'place', also: 'backup recovery key' },
  'workspace.lock': { name: 'Lock Holdfast', group: 'Workspace', chords: ['Mod+Shift+L'], keys: 'anywhere', also: 'keys' },
  'settings.open': {
    name: 'Settings…',
    group: 'Workspace',
    chords: ['Mod+,'],
    keys: 'typing',
    also: 'preferences options clipboard lock mask',
  },
  'workspace.about': { name: 'About Holdfast', group: 'Workspace', chords: [], keys: 'place', also: 'version' },
  'theme.system': { name: 'Theme: system', group: 'Workspace', chords: [], keys: 'place', also: 'appearance colour' },
  'theme.light': { name: 'Theme: light', group: 'Workspace', chords: [], keys: 'place', also: 'appearance colour' },
  'theme.dark': { name: 'Theme: dark', group: 'Workspace', chords: [], keys: 'place', also: 'appearance colour' },
} as const satisfies Record<string, CommandInfo>

export type CommandId = keyof typeof commandInfos

/** The ids, in the order they are shown. */
export const commandIds = Object.keys(commandInfos) as CommandId[]

/** One command, with its fields typed alike. */
export const commandInfo = (id: CommandId): CommandInfo => commandInfos[id]

/** Whether a key press is one of a command's chords. */
export const isKeyOf = (id: CommandId, event: Parameters<typeof matchesChord>[1]): boolean =>
  commandInfo(id).chords.some((chord) => matchesChord(chord, event))
