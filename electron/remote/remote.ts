import type { Result } from '../bridge/result.ts'
import type { ChangeInput } from '../../service/protocol/changes.ts'
import type {
  FeedPage,
  RecordResource,
  RemoteDeleted,
  RemoteEnvironment,
  RemoteMember,
  RemotePage,
  RemoteProject,
  RemoteRecord,
  RemoteRole,
  RemoteVariable,
  RemoteVersion,
  RemoteWorkspace,
} from './records.ts'
import type { ServiceProfile } from './service-profile.ts'

/**
 * The client's view of the service, one function per operation (service-interface.md, plus the extensions of our own service). No answer is
 * trusted: each is checked, and each failure is a `RemoteError`.
 */

/** The outcome of one change. */
export type ChangeAnswer =
  /** `record`: the record after the change; null if it was deleted. */
  | { status: 'done'; record: RemoteRecord | null; counts: { added: number; updated: number; removed: number } | null }
  /**
   * `record`: for `stale`, the record as it is now; for `taken`, the record that has the name; otherwise null. `missing`: which part the
   * service lacks.
   */
  | { status: 'failed'; error: RemoteError; missing: 'record' | 'parent' | null; record: RemoteRecord | null }

/**
 * The outcome is `unknown` if the service may have acted, `none` if it certainly did not. `next` says what sync does about it. It does not
 * hold for a request that a user made: nothing repeats that.
 */
export type RemoteError =
  /** No connection was made, or a proxy stopped it (407): nothing was sent. */
  | { kind: 'offline'; outcome: 'none'; message: string }
  /** The connection broke after the request had begun. */
  | { kind: 'interrupted'; outcome: 'unknown'; message: string; next: string }
  /** No full answer within the deadline, or 408. */
  | { kind: 'timeout'; outcome: 'unknown'; message: string; next: string }
  /** Our own abort (the app is closing). */
  | { kind: 'cancelled'; outcome: 'unknown'; message: string }
  /** 401, or there is no API key that could be sent. */
  | { kind: 'unauthorized'; outcome: 'none'; message: string }
  /** 400, 403, 413, 415, 422 and any other 4xx: the service's words in `message`. */
  | { kind: 'refused'; outcome: 'none'; status: number; message: string }
  /** 404, or 410 outside of the feed: the record does not exist. */
  | { kind: 'missing'; outcome: 'none'; message: string }
  /** The service does not offer this operation: see `findProfile`. */
  | { kind: 'no-route'; outcome: 'none'; message: string }
  /** 409 */
  | { kind: 'taken'; outcome: 'none'; message: string }
  /** 410 on the feed: the cursor is of another history, or `isPruned`: the service has forgotten deletions after it. */
  | { kind: 'cursor-gone'; outcome: 'none'; isPruned: boolean; message: string }
  /** 412: If-Match did not match. */
  | { kind: 'stale'; outcome: 'none'; message: string }
  /** 429 and 503. `retryAfterMs` is null if the service named no time. */
  | { kind: 'busy'; outcome: 'none'; retryAfterMs: number | null; message: string; next: string }
  /** Other 5xx. */
  | { kind: 'service-failed'; outcome: 'unknown'; status: number; message: string; next: string }
  /**
   * The body did not come from the service: it is HTML, empty, cut short, or of a wrong shape. Outcome none: a web page with a 4xx status, so
   * something in between refused the request.
   */
  | { kind: 'not-a-service'; outcome: 'none' | 'unknown'; message: string }
  /** 3xx. A redirect is never followed, because the API key must not go to another server. */
  | { kind: 'redirected'; outcome: 'none'; message: string }
  /** Refused before anything was sent: plain http beyond loopback, or a name or a count that could hit other records. */
  | { kind: 'unsafe'; outcome: 'none'; message: string }

export type RemoteResult<T> = Promise<Result<T, RemoteError>>

export interface WriteOptions {
  /** Sent as If-Match. */
  ifMatch?: string | undefined
  /** Sent as Idempotency-Key on POST. */
  idempotencyKey?: string | undefined
}

export interface VariablePatch {
  name?: string | undefined
  /** Sealed. */
  value?: string | undefined
  type?: 'string' | 'number' | 'boolean' | undefined
  isSecret?: boolean | undefined
}

/** The 14 operations of the specification, which every service has. */
export interface DocumentedOperations {
  /** Operation 1. */
  getWorkspace(): RemoteResult<RemoteWorkspace>
  /** Operation 2. */
  getProject(slug: string): RemoteResult<RemoteProject>
  /** Operation 3. */
  deleteProject(slug: string, options: WriteOptions): RemoteResult<null>
  /** Operation 4. */
  createEnvironment(project: string, body: { name: string; slug: string }, options: WriteOptions): RemoteResult<RemoteEnvironment>
  /** Operation 5. */
  getEnvironment(project: string, slug: string): RemoteResult<RemoteEnvironment>
  /** Operation 6. */
  updateEnvironment(
    project: string,
    slug: string,
    patch: { name?: string; slug?: string },
    options: WriteOptions,
  ): RemoteResult<RemoteEnvironment>
  /** Operation 7. The ETag header becomes `etag`. */
  getVariable(project: string, environment: string, name: string): RemoteResult<RemoteVariable>
  /** Operation 8. */
  deleteVariable(project: string, environment: string, name: string, options: WriteOptions): RemoteResult<null>
  /** Operation 9: 1 to 200 names. */
  deleteVariables(
    project: string,
    environment: string,
    names: string[],
  ): RemoteResult<{ deleted: { id: string; name: string }[]; notFound: string[] }>
  /** Operation 10. */
  updateVariable(id: string, patch: VariablePatch, options: WriteOptions): RemoteResult<RemoteVariable>
  /** Operation 11. */
  getVersion(id: string): RemoteResult<RemoteVersion>
  /** Operation 12. */
  rollback(id: string, options: WriteOptions): RemoteResult<{ versionLabel: string; added: number; updated: number; removed: number }>
  /** Operation 13. */
  inviteMember(body: { email: string; roleId: string }, options: WriteOptions): RemoteResult<RemoteMember>
  /** Operation 14. */
  removeMember(id: string): RemoteResult<null>
}

/** Requests beyond the 14, which a service may answer with `no-route`. The cursor of a list is null for its first page. */
export interface Extensions {
  renameWorkspace(name: string): RemoteResult<null>
  listProjects(cursor: string | null): RemoteResult<RemotePage<RemoteProject>>
  listEnvironments(project: string, cursor: string | null): RemoteResult<RemotePage<RemoteEnvironment>>
  listVariables(project: string, environment: string, cursor: string | null): RemoteResult<RemotePage<RemoteVariable>>
  listVersions(project: string, environment: string, cursor: string | null): RemoteResult<RemotePage<RemoteVersion>>
  listMembers(cursor: string | null): RemoteResult<RemotePage<RemoteMember>>
  listRoles(cursor: string | null): RemoteResult<RemotePage<RemoteRole>>
  /** Last deleted first. */
  listDeleted(cursor: string | null): RemoteResult<RemotePage<RemoteDeleted>>
  /** Restores a deleted project or environment with everything that was in it. `slug` replaces its old slug. */
  restoreDeleted(id: string, slug: string | undefined): RemoteResult<null>
  /** The change feed. If the cursor is null, it starts with the first change. */
  changes(cursor: string | null): RemoteResult<FeedPage>
  /** 1 to 200 changes, applied in order and answered one by one. */
  pushChanges(changes: readonly ChangeInput[]): RemoteResult<ChangeAnswer[]>
  /** One record by its id, as the feed shows it. */
  getRecord(resource: RecordResource, id: string): RemoteResult<RemoteRecord>
}

export interface Remote extends DocumentedOperations, Extensions {
  /** What the service offers, as far as its answers have shown; null until the change feed was asked for. */
  profile(): ServiceProfile | null
  /** Returns what the service offers. Asks for the change feed first, unless the service is known to have it. */
  findProfile(): RemoteResult<ServiceProfile>
}
