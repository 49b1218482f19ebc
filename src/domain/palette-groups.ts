import type { FoundName } from '../../electron/bridge/rows.ts'
import type { Alignment, Ranges } from '../../electron/match/align.ts'
import { matchText } from '../../electron/match/match-text.ts'
import { commandInfo, type CommandId } from './commands.ts'

export type PaletteItem =
  | { kind: 'command'; key: string; id: CommandId; name: string; ranges: Ranges }
  | { kind: 'place'; key: string; found: FoundName; name: string; ranges: Ranges }

export interface PaletteGroup {
  title: string
  items: PaletteItem[]
}

/** At most so many of one kind, so that none buries the others. */
const most = { command: 6, workspace: 4, project: 6, environment: 8, variable: 24 } as const
const titles = {
  command: 'Commands',
  workspace: 'Workspaces',
  project: 'Projects',
  environment: 'Environments',
  variable: 'Variables',
} as const
/** Of groups with equally good matches, the first: a command is more likely meant than a variable that begins with the same word. */
const kinds = ['workspace', 'project', 'environment', 'command', 'variable'] as const

export const commandItem = (id: CommandId, ranges: Ranges = []): PaletteItem => ({
  kind: 'command',
  key: `command ${id}`,
  id,
  name: commandInfo(id).name,
  ranges,
})

export const placeItem = (found: FoundName): PaletteItem => ({
  kind: 'place',
  key: `${found.kind} ${found.workspaceId} ${found.id}`,
  found,
  name: found.name,
  ranges: found.ranges,
})

/** Commands for a text: by their name, else by other words for them; letters strewn about inside words do not count. Best first. */
export const matchCommands = (text: string, ids: readonly CommandId[]): { id: CommandId; match: Alignment }[] =>
  ids
    .flatMap((id) => {
      const { name, also } = commandInfo(id)
      const own = matchText(text, name)
      if (own !== null && own.ranges.every(([start]) => /^$|[^\p{L}\p{N}]$/u.test(name.slice(0, start)))) return [{ id, match: own }]
      const other = also?.split(' ').some((word) => word.startsWith(text.trim().toLowerCase())) === true && text.trim().length > 1
      return other ? [{ id, match: { score: text.trim().length, ranges: [] } }] : []
    })
    .toSorted((a, b) => b.match.score - a.match.score || commandInfo(a.id).name.length - commandInfo(b.id).name.length)

/**
 * The results of the palette for a text: one group for each kind, the group with the best match first. Of equal matches, the nearer are
 * first.
 */
export const foundGroups = (
  text: string,
  ids: readonly CommandId[],
  found: readonly FoundName[],
  /** How near something is to what is open; larger is nearer. */
  nearness: (one: FoundName) => number,
): PaletteGroup[] => {
  const commands = matchCommands(text, ids)
  return kinds
    .map((kind) => {
      if (kind === 'command') {
        const items = commands.slice(0, most.command).map(({ id, match }) => commandItem(id, match.ranges))
        return { title: titles.command, items, score: commands[0]?.match.score ?? 0 }
      }
      const own = found.filter((one) => one.kind === kind).toSorted((a, b) => b.score - a.score || nearness(b) - nearness(a))
      const score = Math.max(0, ...own.map((one) => one.score))
      return { title: titles[kind], items: own.slice(0, most[kind]).map(placeItem), score }
    })
    .filter((group) => group.items.length > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ title, items }) => ({ title, items }))
}

/** The palette before anything is typed: the items used last, then every command. */
export const restingGroups = (recent: readonly PaletteItem[], ids: readonly CommandId[]): PaletteGroup[] => {
  const used = new Set(recent.map((item) => item.key))
  const items = ids.map((id) => commandItem(id)).filter((item) => !used.has(item.key))
  return [
    { title: 'Recent', items: [...recent] },
    { title: titles.command, items },
  ].filter((group) => group.items.length > 0)
}
