import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fitBounds, readBounds, writeBounds } from '../../electron/main/window-bounds.ts'

const main = { x: 0, y: 0, width: 1920, height: 1040 }
const left = { x: -1280, y: 100, width: 1280, height: 720 }
const kept = (x: number, y: number, width = 1000, height = 700) => ({ x, y, width, height, maximized: false })

describe('fitting', () => {
  test.each([
    ['the first time, the system places it', null, [main], { width: 1200, height: 800 }],
    ['the first time on a small display, it fits', null, [left], { width: 1200, height: 720 }],
    ['no display at all', null, [], { width: 1200, height: 800 }],
    ['where it was', kept(100, 50), [main], { x: 100, y: 50, width: 1000, height: 700 }],
    ['where it was, on the second display', kept(-1200, 110), [main, left], { x: -1200, y: 110, width: 1000, height: 700 }],
    ['the second display is gone', kept(-1200, 110), [main], { width: 1200, height: 800 }],
    ['a corner is left on the display', kept(1800, 900), [main], { x: 920, y: 340, width: 1000, height: 700 }],
    ['larger than the display of today', kept(0, 0, 4000, 3000), [main], { x: 0, y: 0, width: 1920, height: 1040 }],
    ['too small to use', kept(10, 10, 100, 100), [main], { x: 10, y: 10, width: 720, height: 480 }],
  ])('%s', (_name, bounds, areas, fitted) => {
    expect(fitBounds(bounds, areas)).toEqual(fitted)
  })
})

describe('keeping', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'holdfast-bounds-'))
    file = path.join(folder, 'deep/window.json')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('what was written is read', () => {
    writeBounds(file, { ...kept(1, 2), maximized: true })
    writeBounds(file, kept(3, 4))
    expect(readBounds(file)).toEqual(kept(3, 4))
  })

  test.each([
    '',
    '{',
    '{}',
    '[]',
    '{"x":0,"y":0,"width":0,"height":1,"maximized":false}',
    '{"x":1e999,"y":0,"width":9,"height":9,"maximized":false}',
  ])('a damaged file (%s) is as good as none', (text) => {
    writeBounds(file, kept(1, 2))
    writeFileSync(file, text)
    expect(readBounds(file)).toBeNull()
  })

  test('a folder that cannot be written is no failure', () => {
    writeFileSync(path.join(folder, 'deep'), 'a file in the way')
    writeBounds(file, kept(1, 2))
    expect(readBounds(file)).toBeNull()
  })
})
