import { describe, expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { Asker } from '../../../src/lib/asker.ts'

/** A bridge whose answers come when the test says, in the order it says. */
const manualBridge = () => {
  const calls: { args: unknown; answer: (value: unknown) => void }[] = []
  const bridge: Bridge = {
    query: (_, args) => new Promise<never>((resolve) => calls.push({ args, answer: (value) => resolve({ ok: true, value } as never) })),
    command: () => Promise.reject(new Error('no command is expected')),
    onPush: () => () => {},
  }
  return { bridge, calls }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

const setUp = () => {
  const { bridge, calls } = manualBridge()
  const answers: unknown[] = []
  const asker = new Asker(bridge, 'queue.list', (answer) => answers.push(answer.ok ? answer.value : answer.error))
  return { asker, calls, answers }
}

const one = { workspaceId: 'one' }
const two = { workspaceId: 'two' }

describe('asking again', () => {
  test('while the same question is under way asks once more afterwards, however often it was asked', async () => {
    const { asker, calls, answers } = setUp()
    asker.ask(one)
    asker.ask(one)
    asker.ask(one)
    expect(calls).toHaveLength(1)
    calls[0]?.answer('first')
    await settled()
    expect(calls).toHaveLength(2)
    calls[1]?.answer('second')
    await settled()
    expect(calls).toHaveLength(2)
    expect(answers).toEqual(['first', 'second'])
  })

  test('with other arguments does not wait for the first answer', () => {
    const { asker, calls } = setUp()
    asker.ask(one)
    asker.ask(two)
    expect(calls.map((call) => call.args)).toEqual([one, two])
  })

  test('an old answer never overwrites a newer one, in whatever order they come', async () => {
    const { asker, calls, answers } = setUp()
    asker.ask(one)
    asker.ask(two)
    calls[1]?.answer('new')
    await settled()
    calls[0]?.answer('old')
    await settled()
    expect(answers).toEqual(['new'])
  })

  test('going back to the first arguments asks them afresh', async () => {
    const { asker, calls, answers } = setUp()
    asker.ask(one)
    asker.ask(two)
    asker.ask(one)
    expect(calls).toHaveLength(3)
    calls[0]?.answer('stale')
    calls[1]?.answer('other')
    calls[2]?.answer('fresh')
    await settled()
    expect(answers).toEqual(['fresh'])
  })

  test('after stopping hands on nothing, and can be asked anew', async () => {
    const { asker, calls, answers } = setUp()
    asker.ask(one)
    asker.stop()
    calls[0]?.answer('late')
    await settled()
    expect(answers).toEqual([])
    asker.ask(one)
    calls[1]?.answer('again')
    await settled()
    expect(answers).toEqual(['again'])
  })
})
