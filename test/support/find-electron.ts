import path from 'node:path'
import { findElectron as findHostElectron } from '../../electron/host/find-electron.ts'
import type { FoundElectron } from '../../electron/host/find-electron.ts'

/** Long enough for a slow line: a test run is no start that somebody waits for. */
const downloadMs = 180_000

/** The Electron that tests start: the same that `npm start` would run. */
export const findElectron = (): Promise<FoundElectron> =>
  findHostElectron({
    root: path.resolve(import.meta.dirname, '../..'),
    platform: process.platform,
    env: process.env,
    downloadMs,
    signal: new AbortController().signal,
    tell: () => {},
  })
