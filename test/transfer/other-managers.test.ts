import { expect, test } from 'vitest'
import { readImport } from '../../electron/transfer/read-import.ts'

const inJson = (content: unknown) => JSON.stringify(content, null, 2)
const infisical = { workspace: '64f1', type: 'shared', environment: 'prod', tags: [], comment: '', secretPath: '/' }
const doppler = (value: string, visibility: string) => ({
  computed: value,
  computedValueType: { type: 'string' },
  computedVisibility: visibility,
  note: '',
  raw: `\${other.${value}}`,
  rawValueType: { type: 'string' },
  rawVisibility: visibility,
})

/** What other programs write of HOST=db and PASS=two words. */
test.each([
  [
    'infisical export --format=json',
    inJson([
      { ...infisical, key: 'HOST', value: 'db' },
      { ...infisical, key: 'PASS', value: 'two words' },
    ]),
  ],
  [
    'bws secret list',
    inJson([
      { id: '1', key: 'HOST', value: 'db', note: 'n' },
      { id: '2', key: 'PASS', value: 'two words', note: '' },
    ]),
  ],
  [
    'gh variable list --json name,value',
    inJson([
      { name: 'HOST', value: 'db' },
      { name: 'PASS', value: 'two words' },
    ]),
  ],
  [
    'az webapp config appsettings list',
    inJson([
      { name: 'HOST', slotSetting: false, value: 'db' },
      { name: 'PASS', slotSetting: true, value: 'two words' },
    ]),
  ],
  ['docker inspect', inJson([{ Id: 'f00', Config: { Cmd: ['sh'], Env: ['HOST=db', 'PASS=two words'], Labels: {} }, Mounts: [] }])],
  ['docker inspect -f {{json .Config.Env}}', '["HOST=db","PASS=two words"]\n'],
  ['doppler secrets download --format json', inJson({ HOST: 'db', PASS: 'two words' })],
  ['doppler secrets --json', inJson({ HOST: doppler('db', 'unmasked'), PASS: doppler('two words', 'masked') })],
  ['heroku config --json', inJson({ HOST: 'db', PASS: 'two words' })],
  ['the secret of AWS Secrets Manager', inJson({ HOST: 'db', PASS: 'two words' })],
  [
    'aws secretsmanager get-secret-value',
    inJson({
      ARN: 'arn:aws:x',
      Name: 'shop',
      VersionId: '1',
      SecretString: '{"HOST":"db","PASS":"two words"}',
      VersionStages: ['AWSCURRENT'],
    }),
  ],
  ['vercel env pull', '# Created by Vercel CLI\nHOST="db"\nPASS="two words"\n'],
])('the output of %s is read', async (_, text) => {
  const outcome = await readImport(text, 'auto')
  if (!outcome.ok) throw new Error(outcome.problem)
  expect(outcome.read.entries).toMatchObject([
    { name: 'HOST', value: 'db' },
    { name: 'PASS', value: 'two words' },
  ])
  expect(outcome.read.invalid).toEqual([])
})

const readOf = async (content: unknown) => {
  const outcome = await readImport(inJson(content), 'json')
  return outcome.ok ? outcome.read : outcome.problem
}

test('what Doppler masks is a secret', async () => {
  const read = await readOf({ HOST: doppler('db', 'unmasked'), PASS: doppler('x', 'masked'), KEY: doppler('x', 'restricted') })
  expect(read).toMatchObject({ entries: [{ name: 'HOST' }, { name: 'PASS', isSecret: true }, { name: 'KEY', isSecret: true }] })
  expect(read).not.toHaveProperty('entries.0.isSecret')
})

test('each value of a secret of Secrets Manager is a secret', async () => {
  const read = await readOf({ ARN: 'arn:aws:x', SecretString: '{"HOST":"db"}' })
  expect(read).toMatchObject({ entries: [{ name: 'HOST', isSecret: true }] })
})

test('a list of names without values says so, by each name', async () => {
  const reason = '“TOKEN” has no value here. Some programs list secrets by name only.'
  expect(await readOf([{ name: 'TOKEN', updatedAt: '2026-01-01' }])).toEqual({ entries: [], invalid: [{ line: 2, name: 'TOKEN', reason }] })
})

test.each([
  ['numbers', [1]],
  ['texts', ['just words']],
  ['texts without a name', ['=x']],
  ['lists', [[]]],
  ['other objects', [{ id: 1, value: 'x' }]],
  ['nothing', []],
])('a list of %s is refused with what to write instead', async (_, content) => {
  expect(await readOf(content)).toBe(
    'This JSON isn’t an object. Write it as {"NAME": "value"}, or as a list of {"key": "NAME", "value": "value"}.',
  )
})

test.each([
  ['no Doppler object', { A: { computed: 'x' }, B: 'y' }, ['A__computed', 'B']],
  ['no answer of Secrets Manager', { SecretString: '{"A":"x"}' }, ['SecretString']],
  ['no JSON in the secret', { ARN: 'a', SecretString: 'plain' }, ['ARN', 'SecretString']],
])('%s is read as it is written', async (_, content, names) => {
  expect(await readOf(content)).toMatchObject({ entries: names.map((name) => ({ name })) })
})
