import { afterEach, expect, test } from 'vitest'
import { createStage, valueOf } from '../workspaces/start-app.ts'

const stage = createStage()
afterEach(stage.clear)

test('a lock takes a copied value off the clipboard, with no page there to do it', async () => {
  const state = { text: '' }
  const it = await stage.start({
    deps: {
      clipboard: {
        readText: async () => state.text,
        clear: () => (state.text = ''),
        writeConfidential: async (text) => {
          state.text = text
          return true
        },
      },
    },
  })
  valueOf(await it.command('keys.choose', { store: 'vault', passphrase: 'correct horse battery' }))
  valueOf(await it.command('clipboard.copy', { text: 'secret', seconds: 3600 }))
  expect(state.text).toBe('secret')
  valueOf(await it.command('keys.lock', {}))
  await expect.poll(() => state.text).toBe('')
})
