import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pageFile } from '../../electron/main/page-file.ts'

const root = path.resolve('/somewhere/renderer')

test.each([
  ['app://holdfast/', 'index.html', 'text/html; charset=utf-8'],
  ['app://holdfast/index.html', 'index.html', 'text/html; charset=utf-8'],
  ['app://holdfast/index.html?a=1#b', 'index.html', 'text/html; charset=utf-8'],
  ['app://holdfast/assets/main-a1.js', 'assets/main-a1.js', 'text/javascript; charset=utf-8'],
  ['app://holdfast/assets/a%20b.css', 'assets/a b.css', 'text/css; charset=utf-8'],
  ['app://holdfast/assets/inter.woff2', 'assets/inter.woff2', 'font/woff2'],
  ['app://holdfast/icon.svg', 'icon.svg', 'image/svg+xml'],
])('%s is the file %s', (url, file, type) => {
  expect(pageFile(root, url)).toEqual({ path: path.join(root, file), type })
})

test.each([
  'app://holdfast/..%2f..%2fetc%2fpasswd.html',
  'app://holdfast/..%5c..%5csecret.html',
  'app://holdfast/%2e%2e%2fsecret.html',
  'app://holdfast/a%00.html',
  'app://holdfast/c:/windows/win.html',
  'app://holdfast/%E0%A4%A.html',
  'app://elsewhere/index.html',
  'app://holdfast.evil/index.html',
  'http://holdfast/index.html',
  'file:///somewhere/renderer/index.html',
  'app://holdfast/data.db',
  'app://holdfast/assets',
  'no url',
])('%s is no file of the page', (url) => {
  expect(pageFile(root, url)).toBeNull()
})

test('no path leads out of the folder', () => {
  const segment = fc.constantFrom('..', '.', '%2e%2e', '%2e.', '..%2f', '%5c', '\\', 'a', '', '%252e%252e', 'x.html', 'renderer2')
  fc.assert(
    fc.property(fc.array(segment, { maxLength: 8 }), (segments) => {
      const file = pageFile(root, `app://holdfast/${segments.join('/')}/x.html`)
      if (file !== null) expect(path.relative(root, file.path).split(path.sep)[0]).not.toBe('..')
    }),
    { numRuns: 500, verbose: 1 },
  )
})
