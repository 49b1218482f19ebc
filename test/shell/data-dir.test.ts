import path from 'node:path'
import { expect, test } from 'vitest'
import { defaultDataDir, readDataDir } from '../../electron/shell/data-dir.ts'

test.each([
  ['linux', {}, '/home/ada/.local/share/holdfast'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/holdfast'],
  ['linux', { XDG_DATA_HOME: '' }, '/home/ada/.local/share/holdfast'],
  ['darwin', {}, '/home/ada/Library/Application Support/Holdfast'],
  ['win32', { APPDATA: '/roaming' }, '/roaming/Holdfast'],
  ['win32', {}, '/home/ada/AppData/Roaming/Holdfast'],
])('on %s with %j the data is in %s', (platform, env, folder) => {
  expect(defaultDataDir(platform, '/home/ada', env)).toBe(path.normalize(folder))
})

test.each([
  [['.', '--data-dir', '/a'], {}, '/a'],
  [['.', '--data-dir=/a'], { HOLDFAST_DATA_DIR: '/b' }, '/a'],
  [['.'], { HOLDFAST_DATA_DIR: '/b' }, '/b'],
  [['.'], { HOLDFAST_DATA_DIR: '' }, null],
  [['.', '--data-dir='], {}, null],
  [['.', '--data-dir'], {}, null],
  [['.', '--data-dir', 'here'], {}, path.resolve('here')],
])('%j with %j ask for %s', (args, env, folder) => {
  expect(readDataDir(args, env)).toBe(folder)
})
