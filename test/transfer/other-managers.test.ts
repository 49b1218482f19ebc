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
  [
    'vault kv get -format=json',
    inJson({
      request_id: 'a-b',
      lease_id: '',
      data: { data: { HOST: 'db', PASS: 'two words' }, metadata: { version: 3, custom_metadata: null } },
      warnings: null,
    }),
  ],
  ['vault read -format=json', inJson({ request_id: 'a-b', lease_id: '', renewable: false, data: { HOST: 'db', PASS: 'two words' } })],
  [
    'aws ssm get-parameters-by-path',
    inJson({
      Parameters: [
        { Name: '/shop/prod/HOST', Type: 'String', Value: 'db', Version: 1 },
        { Name: '/shop/prod/PASS', Type: 'SecureString', Value: 'two words', Version: 4 },
      ],
    }),
  ],
  [
    'terraform output -json',
    inJson({
      HOST: { sensitive: false, type: 'string', value: 'db' },
      PASS: { sensitive: true, type: 'string', value: 'two words' },
    }),
  ],
  [
    'an environment of Postman',
    inJson({
      id: '1',
      name: 'Prod',
      values: [
        { key: 'HOST', value: 'db', type: 'default', enabled: true },
        { key: 'PASS', value: 'two words', type: 'secret', enabled: true },
      ],
      _postman_variable_scope: 'environment',
    }),
  ],
  [
    'op item get --format json',
    inJson({
      id: '1',
      title: 'Shop',
      vault: { id: '2', name: 'Private' },
      urls: [{ href: 'https://shop' }],
      fields: [
        { id: 'notesPlain', type: 'STRING', purpose: 'NOTES', label: 'notesPlain' },
        { id: '3', section: { id: '4' }, type: 'STRING', label: 'HOST', value: 'db' },
        { id: '5', type: 'CONCEALED', label: 'PASS', value: 'two words', passwordDetails: {} },
      ],
    }),
  ],
  [
    'bw get item',
    inJson({
      object: 'item',
      organizationId: null,
      name: 'Shop',
      fields: [
        { name: 'HOST', value: 'db', type: 0, linkedId: null },
        { name: 'PASS', value: 'two words', type: 1, linkedId: null },
      ],
    }),
  ],
  ['kubectl get configmap -o yaml', 'apiVersion: v1\ndata:\n  HOST: db\n  PASS: two words\nkind: ConfigMap\nmetadata:\n  name: shop\n'],
  [
    'kubectl get configmap -o json',
    inJson({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'shop' }, data: { HOST: 'db', PASS: 'two words' } }),
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

test.each<[string, unknown, secret: string[]]>([
  ['vault', { request_id: 'r', lease_id: '', data: { HOST: 'x' } }, ['HOST']],
  [
    'aws ssm',
    {
      Parameters: [
        { Name: 'HOST', Type: 'String', Value: 'x' },
        { Name: 'PASS', Type: 'SecureString', Value: 'y' },
      ],
    },
    ['PASS'],
  ],
  ['terraform', { HOST: { sensitive: false, value: 'x' }, PASS: { sensitive: true, type: ['set', 'string'], value: 'y' } }, ['PASS']],
  [
    'Postman',
    {
      values: [
        { key: 'HOST', value: 'x', type: 'default' },
        { key: 'PASS', value: 'y', type: 'secret' },
      ],
      _postman_variable_scope: 'globals',
    },
    ['PASS'],
  ],
  [
    '1Password',
    {
      vault: { id: 'v' },
      fields: [
        { label: 'HOST', type: 'STRING', value: 'x' },
        { label: 'PASS', type: 'CONCEALED', value: 'y' },
      ],
    },
    ['PASS'],
  ],
  [
    'Bitwarden',
    {
      organizationId: null,
      fields: [
        { name: 'HOST', type: 0, value: 'x' },
        { name: 'PASS', type: 1, value: 'y' },
      ],
    },
    ['PASS'],
  ],
  ['a ConfigMap', { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: { HOST: 'x' } }, []],
])('secrets of %s are those it says', async (_, content, secret) => {
  const read = await readOf(content)
  if (typeof read === 'string') throw new Error(read)
  expect(read.entries.filter(({ isSecret }) => isSecret).map(({ name }) => name)).toEqual(secret)
})

test('a value of Terraform that is a list is refused under its own name', async () => {
  const read = await readOf({ HOSTS: { sensitive: false, type: ['list', 'string'], value: ['a'] }, HOST: { sensitive: false, value: 'x' } })
  expect(read).toMatchObject({ entries: [{ name: 'HOST' }], invalid: [{ name: 'HOSTS' }] })
})

test.each([
  [
    'SOPS',
    'sops decrypt',
    inJson({ HOST: 'ENC[AES256_GCM,data:x]', sops: { kms: null, age: [{ enc: 'x' }], mac: 'ENC[AES256_GCM,data:y]' } }),
  ],
  ['SOPS', 'sops decrypt', 'HOST: ENC[AES256_GCM,data:x]\nsops:\n  age: []\n  mac: ENC[AES256_GCM,data:y]\n'],
  ['SOPS', 'sops decrypt', 'HOST=ENC[AES256_GCM,data:x]\nsops_mac=ENC[AES256_GCM,data:y]\n'],
  ['dotenvx', 'dotenvx decrypt', 'DOTENV_PUBLIC_KEY_PROD="03f"\n\n# .env.prod\nHOST="encrypted:BE9"\n'],
  ['Ansible Vault', 'ansible-vault view', '$ANSIBLE_VAULT;1.1;AES256\n6162\n'],
  ['age', 'age --decrypt', '-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n-----END AGE ENCRYPTED FILE-----\n'],
  ['PGP', 'gpg --decrypt', '-----BEGIN PGP MESSAGE-----\n\nhQEM=\n-----END PGP MESSAGE-----\n'],
])('a text that %s encrypted is refused, and the sentence names “%s”', async (program, command, text) => {
  const outcome = await readImport(text, 'auto')
  expect(outcome.ok ? 'read' : outcome.problem).toMatch(new RegExp(`${program}.*${command}`))
})

test('a value that stands for one in 1Password says so', async () => {
  const outcome = await readImport('PASS=op://Private/Shop/password\nURL=op://\n', 'auto')
  expect(outcome).toMatchObject({ read: { entries: [{ note: expect.stringContaining('1Password') as string }, { note: null }] } })
})

test('a list of names without values says so, by each name', async () => {
  const reason = '“TOKEN” has no value here. Some programs list secrets by name only.'
  expect(await readOf([{ name: 'TOKEN', updatedAt: '2026-01-01' }])).toEqual({ entries: [], invalid: [{ line: 2, name: 'TOKEN', reason }] })
})

test.each([
  ['object', { host: 'db' }, '“TOKEN” is an object. A variable holds a single value: write the object as a quoted string.'],
  ['list', ['a'], '“TOKEN” is a list. A variable holds a single value: write the list as a quoted string.'],
])('a variable of a list whose value is no single one says: %s what to write instead', async (_, value, reason) => {
  expect(await readOf([{ name: 'TOKEN', value }])).toMatchObject({ entries: [], invalid: [{ name: 'TOKEN', reason }] })
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
  ['no output of Terraform', { A: { type: 'x', value: 'y' }, B: { value: 'z' } }, ['A__type', 'A__value', 'B__value']],
  ['no list of variables', { fields: [{ label: 'HOST', value: 'x' }], A: 'b' }, ['A']],
  ['no Doppler object', { A: { computed: 'x' }, B: 'y' }, ['A__computed', 'B']],
  ['no answer of Secrets Manager', { SecretString: '{"A":"x"}' }, ['SecretString']],
  ['no JSON in the secret', { ARN: 'a', SecretString: 'plain' }, ['ARN', 'SecretString']],
])('%s is read as it is written', async (_, content, names) => {
  expect(await readOf(content)).toMatchObject({ entries: names.map((name) => ({ name })) })
})
