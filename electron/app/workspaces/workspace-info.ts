/** The content of `workspace.json`: all that opening a workspace needs, and no secret. */
export interface WorkspaceInfo {
  id: string
  kind: 'sample' | 'local' | 'remote'
  name: string
  /** The service's address; null for sample and local, whose service is a thread of this process. */
  baseUrl: string | null
  /** The id that the service gives this workspace. */
  remoteId: string
  /** Whether the user confirmed plain http outside of loopback. */
  allowInsecure: boolean
  /** bound: accepts only values that members sealed to their variable. Missing: other clients may write values too. */
  values?: 'bound' | undefined
  /** ISO 8601. */
  createdAt: string
}
