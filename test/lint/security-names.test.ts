import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const security = readFileSync(path.join(root, 'SECURITY.md'), 'utf8')

/** What SECURITY.md names as evidence, the parts of the last column of its tables: a file or folder of tests, and a part of a test's name. */
const evidence = security
  .split('\n')
  .filter((line) => line.startsWith('|') && !line.includes('---'))
  .flatMap((line) => (line.split('|').at(-2) ?? '').split(';'))
  .map((part) => part.trim())

/** `test/app/keys: a name …` and `confinement: a name`, which is test/e2e/confinement. */
const named = evidence.flatMap((part) => {
  const [, file, name = ''] = /^`?((?:test\/)?[\w/-]+?)`?(?:: (.+))?$/.exec(part) ?? []
  if (file === undefined || !(file.startsWith('test/') || /^(confinement|window)$/.test(file))) return []
  return [{ part, at: file.startsWith('test/') ? file : `test/e2e/${file}`, name }]
})

const textOf = (at: string): string =>
  globSync([`${at}.{test,spec}.ts`, `${at}.svelte.test.ts`, `${at}/**/*.ts`], { cwd: root })
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n')

test('SECURITY.md names tests', () => {
  expect(named.length).toBeGreaterThan(40)
})

test.each(named)('SECURITY.md names what there is: $part', ({ at, name }) => {
  const escaped = name.split('…').map((text) => text.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  expect(textOf(at)).toMatch(new RegExp(escaped.join('.*')))
})

test.each([...security.matchAll(/`(test\/[\w/.-]+)`/g)].map(([, file = '']) => file))('SECURITY.md names the file %s', (file) => {
  expect(globSync([file, `${file}.{test,spec}.ts`], { cwd: root })).not.toEqual([])
})

/** What SECURITY.md tells its reader to look for on the screen: sections of the settings, and buttons in bold. */
const onScreen = [
  ...[...security.matchAll(/Settings > (\w+)(?: > (\w+))?/g)].flatMap(([, ...names]) => names.filter((name) => name !== undefined)),
  ...[...security.matchAll(/\(\*\*([^*]+)\*\* in the/g)].map(([, button = '']) => button),
]
const screens = globSync('src/{domain,features}/**/*.{svelte,ts}', { cwd: root })
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n')

test.each([...new Set(onScreen)])('SECURITY.md names what is on the screen: %s', (words) => {
  expect(screens).toMatch(new RegExp(`(name: '|name="|>)${words}`))
})

test.each([...new Set([...security.matchAll(/"(\d[\d, to]*)"/g)].map(([, step = '']) => step))])(
  'the packaged application is asked about items %s of the checklist',
  (step) => {
    expect(textOf('test/e2e/checklist')).toContain(`test.step('${step}: `)
  },
)

test.each([
  ['inside', 'test/e2e/checklist'],
  ['outside', 'test/e2e/package'],
])('%s is the test that SECURITY.md says it is', (where, at) => {
  const name = new RegExp(String.raw`\*\*${where}\*\* is "([^"]+)"`).exec(security.replaceAll('\n', ' '))?.[1] ?? 'nothing'
  expect(textOf(at)).toContain(name)
})

test('every item of the checklist has a test', () => {
  const items = security.split('\n').flatMap((line) => {
    const [, number, how] = /^\|\s+(\d+)\s+\|.*\|\s*([^|]+?)\s*\|$/.exec(line) ?? []
    return number === undefined || how === undefined ? [] : [[Number(number), how]]
  })
  expect(items.map(([number]) => number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
  expect(items.filter(([, how]) => !/inside|outside|the same|test\/|\.github/.test(String(how)))).toEqual([])
})
