import type { Page } from '@playwright/test'
import { startFaultProxy } from '../support/fault-proxy.ts'
import type { ReadRequest } from '../support/fault-proxy.ts'
import { expect, test } from './fixtures.ts'
import { look } from './steps/look.ts'
import { expectSync, syncNow } from './steps/sync.ts'
import { clearFilter, editVariable, expectRowSync, findVariable, rowOf } from './steps/variables.ts'

const names = ['DISPUTED', 'FORBIDDEN', 'HELD', 'REFUSED', 'SETTLED', 'WAITING'] as const
type Name = (typeof names)[number]

/** Goes by keys to where a row says how it stands, and opens its change there. */
async function openChangeByKeys(page: Page, name: string): Promise<void> {
  await findVariable(page, name)
  const grid = page.getByTestId('variables-grid')
  await grid.focus()
  await grid.press('End')
  await expect(grid).toHaveAttribute('aria-activedescendant', 'cell-0-sync')
  await grid.press('Enter')
}

/** An answer of the service that refuses the one change of a request. */
const refusal = (id: string, code: number, message: string) => ({
  replace: {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ success: true, code: 200, message: 'OK', data: { items: [{ id, status: 'failed', code, message }] } }),
  },
})

test('each row of the table says how its change stands and why, to the eye, to readers and to the keyboard', async ({
  startApp,
  service,
}) => {
  const proxy = await startFaultProxy(service.url)
  try {
    const { page } = await startApp('holdfast', {
      workspace: {
        service: { url: proxy.url, apiKey: service.apiKey },
        projects: { Fernweh: { Production: Object.fromEntries(names.map((name) => [name, `${name} was this`])) } },
      },
    })
    await expectSync(page, 'synced')
    const routeOf = (name: Name) => `/projects/fernweh/environments/production/variables/${name}`
    const records = await Promise.all(names.map(async (name) => (await service.ask('GET', routeOf(name))).body.data))
    const idOf = (name: Name) => String(records[names.indexOf(name)]?.['id'])
    const updates = ({ method, url, body }: ReadRequest, name: Name) => method === 'POST' && url === '/changes' && body.includes(idOf(name))
    await expectRowSync(page, 'SETTLED', 'synced', /^Synced$/)

    // What the service refuses has the words of the server.
    proxy.decide((request) => {
      if (updates(request, 'REFUSED')) return refusal(idOf('REFUSED'), 422, 'Values of this kind are not taken here.')
      if (updates(request, 'FORBIDDEN')) return refusal(idOf('FORBIDDEN'), 403, 'This API key may read only.')
      if (updates(request, 'HELD')) return 'hang-before'
      return 'none'
    })
    await editVariable(page, 'REFUSED', 'no such thing')
    await expectRowSync(page, 'REFUSED', 'failed', /doesn’t accept this change.*Values of this kind are not taken here\./)
    await editVariable(page, 'FORBIDDEN', 'not for you')
    await expectRowSync(page, 'FORBIDDEN', 'failed', /isn’t allowed to do this.*This API key may read only\./)

    // Without a network an edit waits; meanwhile somebody else edits the same variable.
    await proxy.unplug()
    await editVariable(page, 'DISPUTED', 'made this of it')
    await expectRowSync(page, 'DISPUTED', 'queued', /^Saved on this computer, not synced yet$/)
    const { value } = records[names.indexOf('SETTLED')] ?? {}
    expect((await service.ask('PATCH', `/variables/${idOf('DISPUTED')}`, { value })).status).toBe(200)
    await proxy.plugIn()
    await syncNow(page)
    await expectRowSync(page, 'DISPUTED', 'conflict', /^Someone changed the same field\./)

    // One request without an answer, and one that waits for its turn behind it.
    await editVariable(page, 'HELD', 'on its way')
    await expectRowSync(page, 'HELD', 'sending', /^Sending$/)
    await editVariable(page, 'WAITING', 'after that')
    await look(page, 'rows in every state')

    // Each is gone into from its row.
    await openChangeByKeys(page, 'DISPUTED')
    await expect(page.getByTestId('conflict-review')).toContainText('made this of it')
    await page.keyboard.press('Escape')
    await expect(page.getByTestId('conflict-review')).toBeHidden()
    await openChangeByKeys(page, 'REFUSED')
    const change = page.getByTestId('change-dialog')
    await expect(change).toContainText('Values of this kind are not taken here.')
    proxy.decide(() => 'none')
    await change.getByRole('button', { name: 'Try again' }).click()
    await expect(change).toBeHidden()
    await clearFilter(page)
    await rowOf(page, 'FORBIDDEN').getByRole('button', { name: 'Open the change to FORBIDDEN' }).click()
    await expect(change).toContainText('This API key may read only.')
    await change.getByRole('button', { name: 'Try again' }).click()
    await expect(change).toBeHidden()

    // What hangs is let go; nothing is left to say but of the conflict.
    await proxy.unplug()
    await proxy.plugIn()
    await syncNow(page)
    for (const name of ['REFUSED', 'FORBIDDEN', 'HELD', 'WAITING']) await expectRowSync(page, name, 'synced', /^Synced$/)
    await expectRowSync(page, 'DISPUTED', 'conflict', /^Someone changed the same field\./)
  } finally {
    await proxy.close()
  }
})
