/** The content of `workspace.json`: enough to open a workspace, and no secret. */
export interface WorkspaceInfo {
  id: string
  kind: 'sample' | 'local' | 'remote'
  name: string
  /** The service's address; null for sample and local, whose service is a thread of this process. */
  baseUrl: string | null
  /** The id that the service gives this workspace. */
  remoteId: string
  /** The user confirmed plain http off loopback. */
  allowInsecure: boolean
  /** bound: accepts only values that members sealed to their variable. Absent: other clients may write values of their own. */
  values?: 'bound' | undefined
  /** ISO 8601. */
  createdAt: string
}
