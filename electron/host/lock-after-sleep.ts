import { uptime } from 'node:os'
import type { Application } from '../bridge/bridge.ts'

export interface SleepClock {
  /** Two clocks in milliseconds: the wall clock, and the time since the system started, with sleep. Neither alone shows every sleep. */
  read(): { wall: number; sinceStart: number }
  /** Calls `tick` each `ms` while the computer is awake, until the returned function is called. */
  every(ms: number, tick: () => void): () => void
}

const systemClock: SleepClock = {
  read: () => ({ wall: Date.now(), sinceStart: uptime() * 1000 }),
  every(ms, tick) {
    const timer = setInterval(tick, ms).unref()
    return () => clearInterval(timer)
  },
}

const tickMs = 2000
/** A busy computer delays a tick by less than this. */
const sleepMs = 10_000

/**
 * Locks the application when the computer wakes up, before it answers a call. For a host that the system does not tell about sleep: if a
 * timer runs much too late, the computer has slept.
 */
export function lockAfterSleep(application: Application, clock: SleepClock = systemClock): Application {
  let last = clock.read()
  let locked: Promise<void> = Promise.resolve()
  const check = (): Promise<void> => {
    const now = clock.read()
    const passed = Math.max(now.wall - last.wall, now.sinceStart - last.sinceStart)
    last = now
    if (passed >= sleepMs) locked = locked.then(() => application.lock()).then(() => application.wake())
    return locked
  }
  const stop = clock.every(tickMs, () => void check())
  return {
    async query(name, args) {
      await check()
      return application.query(name, args)
    },
    async command(name, args) {
      await check()
      return application.command(name, args)
    },
    onPush: (listener) => application.onPush(listener),
    openPage: (page) => application.openPage(page),
    wake: () => application.wake(),
    lock: () => application.lock(),
    close() {
      stop()
      return application.close()
    },
  }
}
