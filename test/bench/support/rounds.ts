import { readFileSync } from 'node:fs'
import type { Goal, Row } from './row.ts'

/** How long something took, in milliseconds: on the clock, and of the processor, all threads together. */
export interface Taken {
  wall: number
  cpu: number
}

const count = Number(process.env['BENCH_ROUNDS'] ?? 5)

/** Rounds that count. `BENCH_ROUNDS` changes them while a case is being written; figures that are published have five at least. */
export const rounds = Number.isInteger(count) && count > 0 ? count : 5

/** Measures `work` in this process. */
export const timed = async (work: () => unknown): Promise<Taken> => {
  const before = process.cpuUsage()
  const begun = performance.now()
  await work()
  const wall = performance.now() - begun
  const { user, system } = process.cpuUsage(before)
  return { wall, cpu: (user + system) / 1000 }
}

/**
 * Runs the sides in turn, round after round, so that whatever else the machine does falls on all of them; every second round backwards. `warmUps`
 * rounds come first and do not count. Gives what each side gave, by its name, one for each round; `round` is below 0 while warming up.
 */
export const interleave = async <Sides extends Readonly<Record<string, (round: number) => unknown>>>(
  sides: Sides,
  { warmUps = 1, times = rounds } = {},
): Promise<{ [Side in keyof Sides]: Awaited<ReturnType<Sides[Side]>>[] }> => {
  const names = Object.keys(sides)
  const seen: Record<string, unknown[]> = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -warmUps; round < times; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await sides[name]?.(round)
      if (round >= 0) seen[name]?.push(value)
    }
  }
  // Each list holds what its own side gave.
  return seen as { [Side in keyof Sides]: Awaited<ReturnType<Sides[Side]>>[] }
}

/** Two rows, of the clock and of the processor; the goal is of the one that `on` names. */
export const timeRows = (
  what: string,
  ours: readonly Taken[],
  rival?: { what: string; taken: readonly Taken[] },
  judged?: { on: keyof Taken; goal: Goal },
): Row[] =>
  (['wall', 'cpu'] as const).map((of) => ({
    what: `${what}, ${of === 'wall' ? 'time' : 'processor'}`,
    unit: 'ms',
    ours: ours.map((taken) => taken[of]),
    ...(rival === undefined ? {} : { rival: { what: rival.what, values: rival.taken.map((taken) => taken[of]) } }),
    ...(judged?.on === of ? { goal: judged.goal } : {}),
  }))

/** Processor time that a process has used, in milliseconds. Linux only; not a number elsewhere. */
export const cpuOf = (pid: number | undefined): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

/** Memory of a process in megabytes: now, or the most it had. Linux only; not a number elsewhere. */
export const memoryOf = (pid: number | undefined, which: 'now' | 'most' = 'now'): number => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number((which === 'now' ? /VmRSS:\s+(\d+)/ : /VmHWM:\s+(\d+)/).exec(status)?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
