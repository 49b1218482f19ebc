import type { WorkspaceRow } from '../../electron/bridge/rows.ts'

const kinds = { sample: 'Deleted when you quit', local: 'On this computer', remote: '' } as const

/** Where a workspace is kept, in a few words. */
export const workspaceWhere = ({ baseUrl, kind }: WorkspaceRow): string =>
  baseUrl === null ? kinds[kind] : baseUrl.replace(/^https?:\/\//, '')

/** The letter shown for a workspace. */
export const workspaceInitial = ({ name }: WorkspaceRow): string => name.trim().charAt(0).toUpperCase() || '·'
