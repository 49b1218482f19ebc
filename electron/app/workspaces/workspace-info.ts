/** What `workspace.json` says: enough to open a workspace, and no secret. */
export interface WorkspaceInfo {
  id: string
  kind: 'sample' | 'local' | 'remote'
  name: string
  /** Where the service is; null for sample and local, whose service is a child on a random port. */
  baseUrl: string | null
  /** The id that the service gives this workspace. */
  remoteId: string
  /** The user confirmed plain http off loopback. */
  allowInsecure: boolean
  /** ISO 8601. */
  createdAt: string
}
