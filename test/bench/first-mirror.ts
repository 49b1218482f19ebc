import { withService } from './support/data-set.ts'
import type { Mirrored } from './support/first-mirror.child.ts'
import { interleave, timeRows } from './support/rounds.ts'
import { atMost, ratioAtMost } from './support/row.ts'
import type { Bench } from './support/row.ts'
import { runChild } from './support/run-child.ts'

const environments = 100
const each = 1000

/** 100,000 variables from our service into an empty mirror, each round in a new process. */
export const bench: Bench = () =>
  withService(environments, each, async ({ url, apiKey, workspaceId }) => {
    const mirror = async (side: 'ours' | 'bare') => {
      const mirrored = await runChild<Mirrored>('first-mirror.child.ts', [side, url, apiKey, workspaceId])
      if (mirrored.rows !== environments * each) throw new Error(`${side}: ${mirrored.rows} variables were mirrored`)
      return mirrored
    }
    const seen = await interleave({ ours: () => mirror('ours'), bare: () => mirror('bare') })
    const rival = 'same bytes, prepared inserts'
    return [
      ...timeRows('first mirror of 100,000', seen.ours, { what: rival, taken: seen.bare }, { on: 'cpu', goal: ratioAtMost(2.5) }),
      {
        what: 'first mirror, most memory',
        unit: 'MB',
        ours: seen.ours.map(({ memory }) => memory),
        rival: { what: rival, values: seen.bare.map(({ memory }) => memory) },
      },
      { what: 'first mirror, event loop held, p99', unit: 'ms', ours: seen.ours.map(({ holdP99 }) => holdP99), goal: atMost(16) },
      { what: 'first mirror, event loop held, longest', unit: 'ms', ours: seen.ours.map(({ holdMax }) => holdMax), goal: atMost(50) },
    ]
  })
