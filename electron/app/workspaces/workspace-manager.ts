import type { Restored } from '../../../service/protocol/thread.ts'
import type { AppError } from '../../bridge/app-error.ts'
import type { Commands } from '../../bridge/contract.ts'
import type { Result } from '../../bridge/result.ts'
import type { WorkspaceRow } from '../../bridge/rows.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import type { RepairNote } from '../../mirror/repair/repair-mirror.ts'
import type { RepairReport } from '../../mirror/repair/repair-report.ts'
import type { MirrorReader } from '../../mirror/open-reader.ts'
import type { WorkspaceSession } from './workspace-session.ts'

type Args<N extends keyof Commands> = Commands[N]['args']
type Answer<N extends keyof Commands> = Promise<Result<Commands[N]['value'], AppError>>

/** The workspaces of this computer. Opens each once, on first use, and shares it. */
export interface WorkspaceManager {
  list(): Promise<WorkspaceRow[]>
  /** Whether this computer has a workspace with this id. */
  has(workspaceId: string): Promise<boolean>
  /**
   * The session of a workspace, opened on first use. Opens without keys too: names can be read, values can't. Errors: `not-found`, and
   * those of its database (`database-newer`, `database-damaged`, ...).
   */
  session(workspaceId: string): Promise<Result<WorkspaceSession, AppError>>
  /** The session of a workspace; null: it is not open. */
  opened(workspaceId: string): WorkspaceSession | null
  /** The database of a workspace that is not open, for one read. Null: it can't be read without changing it. */
  reader(workspaceId: string): MirrorReader | null
  lookAround(): Answer<'workspaces.look-around'>
  startLocal(args: Args<'workspaces.start-local'>): Answer<'workspaces.start-local'>
  /** `signal`, here and below: ends waiting for the service, and with it what was typed. */
  probe(args: Args<'workspaces.probe'>, signal: AbortSignal): Answer<'workspaces.probe'>
  connect(args: Args<'workspaces.connect'>, signal: AbortSignal): Answer<'workspaces.connect'>
  move(args: Args<'workspaces.move'>, signal: AbortSignal): Answer<'workspaces.move'>
  supplyKeys(args: Args<'workspaces.supply-keys'>, signal: AbortSignal): Answer<'workspaces.supply-keys'>
  remove(args: Args<'workspaces.remove'>): Answer<'workspaces.remove'>
  /** The workspace key as text, to write down. Errors: `keys-locked`, `workspace-key-missing`, `not-found`. */
  recoveryKey(workspaceId: string): Promise<Result<{ recoveryKey: string }, AppError>>
  /** Previews a repair, without changing anything. Errors: `not-found` if nothing is damaged, and those of the disk. */
  previewRepair(workspaceId: string): Promise<Result<RepairReport, AppError>>
  /** Runs `use` on the readable part of a damaged database, in a temporary mirror. Errors as above. */
  withRepairedCopy<T>(workspaceId: string, use: (mirror: Mirror) => Promise<T>): Promise<Result<T, AppError>>
  /** Keeps a copy of a damaged database, and replaces it with a new one that has its readable part. Errors as above. */
  repair(workspaceId: string): Promise<Result<RepairNote, AppError>>
  /** Replaces the damaged database of a local service with a backup. Errors: `not-found` if it is not damaged, and those of the disk. */
  restoreService(workspaceId: string): Promise<Result<Restored, AppError>>
  /** Closes a workspace whose database SQLite found damaged. Its next use checks the whole file first. */
  suspect(workspaceId: string): Promise<void>
  /** Resolves when every open workspace has applied the present keys, or dropped its keys. */
  refreshKeys(): Promise<void>
  /** Call when the network may be back, or the computer woke up. */
  wake(): void
  /** Stops all engines and services, closes all databases, removes the sample. */
  close(): Promise<void>
}
