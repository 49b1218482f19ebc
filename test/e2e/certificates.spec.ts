import { expect, secureHost as host, test } from './secure-fixtures.ts'
import { expectSync } from './steps/sync.ts'
import { addVariable } from './steps/variables.ts'
import { connectWithNewKey, createProject } from './steps/workspaces.ts'

for (const name of ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']) {
  test(`a service whose authority the computer knows by ${name} is connected and synced through the proxy`, async ({
    service,
    authority,
    front,
    names,
    startApp,
  }) => {
    const app = await startApp('trusting', { env: { HTTPS_PROXY: names.url, [name]: authority.file } })
    await connectWithNewKey(app.page, { url: `https://${host}`, apiKey: service.apiKey })
    await createProject(app.page, 'Fernweh', 'Production')
    await addVariable(app.page, 'GREETING', 'hello')
    await expectSync(app.page, 'synced')
    expect(new Set(names.seen)).toEqual(new Set([`CONNECT ${host}:443`]))
    expect(front.seen).toContain('POST /changes')
  })
}
