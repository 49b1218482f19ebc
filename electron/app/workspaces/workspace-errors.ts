import type { AppError } from '../../bridge/app-error.ts'

/** The sentences of the workspaces slice. */
export const workspaceErrors = {
  notFound: { kind: 'not-found', message: 'This workspace is not on this computer any more.' },
  keyMissing: {
    kind: 'workspace-key-missing',
    message: 'The key of this workspace is not on this computer. Enter it to read and change values.',
  },
  keyWrong: {
    kind: 'workspace-key-wrong',
    message: 'This key does not open the values of this workspace. Ask whoever shared the workspace with you for its key.',
  },
  keyNeeded: {
    kind: 'workspace-key-wrong',
    message: 'This workspace already holds values sealed under a key, so a new one would not open them. Enter that key.',
  },
  keyUnconfirmed: {
    kind: 'workspace-key-unconfirmed',
    message: 'No sealed value was found to try this key on. Confirm that none exists yet, or make sure that this is the key others use.',
  },
  apiKeyMissing: { kind: 'unauthorized', message: 'The API key of this workspace is not on this computer. Enter it to sync.' },
  serviceNotDamaged: { kind: 'not-found', message: 'The service of this workspace works: there is nothing to restore.' },
  nothingSupplied: { kind: 'invalid-input', message: 'Enter the API key or the workspace key.' },
  apiKeyNotTaken: {
    kind: 'invalid-input',
    message: 'This workspace runs on this computer and makes its API key by itself. Enter its workspace key only.',
    field: 'apiKey',
  },
  apiKeyEmpty: { kind: 'invalid-input', message: 'Enter the API key; it is made in the web application of the service.', field: 'apiKey' },
} as const satisfies Record<string, AppError>
