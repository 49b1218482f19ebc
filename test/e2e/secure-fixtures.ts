import { startConnectProxy, type ConnectProxy } from '../support/connect-proxy.ts'
import { makeAuthority, type Authority } from '../support/make-authority.ts'
import { startSecureFront, type SecureFront } from '../support/secure-front.ts'
import { test as base } from './fixtures.ts'

export const secureHost = 'config.holdfast.test'

interface SecureFixtures {
  authority: Authority
  /** The service behind TLS, its certificate by `authority`. */
  front: SecureFront
  /** The only one that knows where `secureHost` is: at the front. */
  names: ConnectProxy
}

export const test = base.extend<SecureFixtures>({
  authority: async ({ folder }, use) => use(makeAuthority(folder)),
  front: async ({ authority, service }, use) => {
    const front = await startSecureFront(authority.issue(secureHost), service.url)
    await use(front)
    await front.close()
  },
  names: async ({ front }, use) => {
    const proxy = await startConnectProxy({ [secureHost]: front.port })
    await use(proxy)
    await proxy.close()
  },
})

export { expect } from '@playwright/test'
