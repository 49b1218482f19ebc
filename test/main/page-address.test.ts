import { expect, test } from 'vitest'
import { originOf, pageAddress } from '../../electron/main/page-address.ts'

const shipped = { url: 'app://holdfast/index.html', origin: 'app://holdfast' }

test.each([
  [false, undefined, shipped],
  [false, '', shipped],
  [false, 'http://localhost:5173/x', { url: 'http://localhost:5173/x', origin: 'http://localhost:5173' }],
  [true, 'http://localhost:5173/', shipped],
])('packaged %s with the dev server %s', (isPackaged, devServer, address) => {
  expect(pageAddress(isPackaged, devServer)).toEqual(address)
})

test.each([
  ['app://holdfast/index.html', 'app://holdfast'],
  ['app://holdfast.evil/index.html', 'app://holdfast.evil'],
  ['app://holdfast@evil/index.html', 'app://evil'],
  ['https://example.com:8443/a', 'https://example.com:8443'],
  ['file:///etc/passwd', 'null'],
  ['data:text/html,app://holdfast', 'null'],
  ['about:blank', 'null'],
  ['', null],
])('the origin of %s is %s', (url, origin) => {
  expect(originOf(url)).toBe(origin)
})
