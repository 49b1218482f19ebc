import type { AppError } from '../../bridge/app-error.ts'

export const workspaceErrors = {
  notFound: { kind: 'not-found', message: 'This workspace is no longer on this computer.' },
  keyMissing: {
    kind: 'workspace-key-missing',
    message: 'This workspace’s key isn’t on this computer. Enter it to read and change values.',
  },
  keyMissingToMove: {
    kind: 'workspace-key-missing',
    message: 'This workspace’s key isn’t on this computer. Open the workspace and enter its key, then move it.',
  },
  keyWrong: {
    kind: 'workspace-key-wrong',
    message: 'This key doesn’t decrypt this workspace’s values. Ask the person who shared the workspace for its key.',
  },
  keyNeeded: {
    kind: 'workspace-key-wrong',
    message: 'This workspace already has values encrypted with another key. Enter that key.',
  },
  keyUnconfirmed: {
    kind: 'workspace-key-unconfirmed',
    message:
      'There’s no value to check this key against. Confirm that the workspace has no values yet, or make sure your team uses this key.',
  },
  moving: { kind: 'not-found', message: 'This workspace is being given another address.' },
  apiKeyMissing: { kind: 'unauthorized', message: 'This workspace’s API key isn’t on this computer. Enter it to sync.' },
  serviceNotDamaged: { kind: 'not-found', message: 'This workspace’s service works, so there’s nothing to restore.' },
  nothingSupplied: { kind: 'invalid-input', message: 'Enter the API key or the workspace key.' },
  apiKeyNotTaken: {
    kind: 'invalid-input',
    message: 'This workspace is local and needs no API key. Enter only its workspace key.',
    field: 'apiKey',
  },
  apiKeyEmpty: { kind: 'invalid-input', message: 'Enter the API key. Ask whoever runs the service for one.', field: 'apiKey' },
} as const satisfies Record<string, AppError>

/** The present key opens more values than the one that was entered. */
export const keyOpensFewer = (opened: number, present: number): AppError => ({
  kind: 'workspace-key-wrong',
  message: `This key decrypts ${opened.toLocaleString('en-US')} of this workspace’s values, your present key ${present.toLocaleString('en-US')}. Nothing was changed. If your team uses this key, sync first, then try again.`,
})
