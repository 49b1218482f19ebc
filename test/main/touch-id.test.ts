import { beforeEach, expect, test, vi } from 'vitest'
import { systemAuthentication } from '../../electron/main/system-authentication.ts'

/** What Electron offers of macOS, in the place of a Mac with a finger on it. */
const mac = vi.hoisted(() => ({ canPromptTouchID: vi.fn<() => boolean>(), promptTouchID: vi.fn<(reason: string) => Promise<void>>() }))
vi.mock('electron', () => ({ systemPreferences: mac }))

beforeEach(() => {
  mac.canPromptTouchID.mockReset().mockReturnValue(true)
  mac.promptTouchID.mockReset().mockResolvedValue()
})

test.each([
  ['darwin', 'touch-id'],
  ['linux', 'polkit'],
  ['win32', 'windows-hello'],
  ['freebsd', undefined],
] as const)('on %s the user is asked by %s', (platform, kind) => {
  expect(systemAuthentication(platform)?.kind).toBe(kind)
})

test('Touch ID that says yes unlocks, and it alone is relied on without a first try', async () => {
  const touchId = systemAuthentication('darwin')
  expect(await touchId?.confirm()).toBe('confirmed')
  expect(mac.promptTouchID).toHaveBeenCalledExactlyOnceWith('unlock Holdfast')
  expect((['darwin', 'linux', 'win32'] as const).map((platform) => systemAuthentication(platform)?.isReliable)).toEqual([
    true,
    false,
    false,
  ])
})

test('Touch ID that is refused unlocks nothing', async () => {
  mac.promptTouchID.mockRejectedValue(new Error('User canceled'))
  expect(await systemAuthentication('darwin')?.confirm()).toBe('refused')
})

test('a Mac whose Touch ID cannot be asked, as with a closed lid, is not asked and counts as unavailable', async () => {
  mac.canPromptTouchID.mockReturnValue(false)
  const touchId = systemAuthentication('darwin')
  expect([await touchId?.isAvailable(), await touchId?.confirm()]).toEqual([false, 'unavailable'])
  expect(mac.promptTouchID).not.toHaveBeenCalled()
})
