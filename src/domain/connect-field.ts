import type { AppError } from '../../electron/bridge/app-error.ts'

export type ConnectField = 'baseUrl' | 'apiKey' | 'workspaceKey'

/** The field of the connect form that an error is about, or null when it is about none of them. */
export const connectField = (error: AppError): ConnectField | null => {
  switch (error.kind) {
    case 'invalid-input':
      return error.field === 'baseUrl' || error.field === 'apiKey' || error.field === 'workspaceKey' ? error.field : null
    case 'insecure-url':
    case 'not-a-service':
    case 'offline':
    case 'timeout':
    case 'service-failed':
      return 'baseUrl'
    case 'unauthorized':
      return 'apiKey'
    case 'refused':
      return error.status === 404 ? 'baseUrl' : 'apiKey'
    case 'workspace-key-missing':
    case 'workspace-key-wrong':
      return 'workspaceKey'
    default:
      return null
  }
}
