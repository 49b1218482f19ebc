import type { Bridge } from '../../electron/bridge/bridge.ts'

/** How often the application is told, in milliseconds. It locks no sooner than after a minute. */
const tellEveryMs = 5000

/** `input`: a text that is dictated, or pasted from a menu, comes without a key. */
const events = ['keydown', 'input', 'pointerdown', 'wheel']

/** Tells the application that its user is active, until the returned function is called. Otherwise it locks after a while. */
export const tellActivity = (bridge: Bridge): (() => void) => {
  let toldAt = -Infinity
  const tell = () => {
    const now = performance.now()
    if (now - toldAt < tellEveryMs) return
    toldAt = now
    void bridge.command('app.stay-unlocked', {})
  }
  for (const event of events) addEventListener(event, tell, { capture: true, passive: true })
  return () => {
    for (const event of events) removeEventListener(event, tell, { capture: true })
  }
}
