/**
 * Loads the modules of later screens one by one while the window is idle: the first page is small, and a screen is loaded when its key is
 * pressed. A module that fails to load is requested again when it is opened.
 */
export const loadLater = (loads: readonly (() => Promise<unknown>)[]): void => {
  const [next, ...rest] = loads
  if (next === undefined) return
  whenIdle(
    () =>
      void next().then(
        () => loadLater(rest),
        () => undefined,
      ),
  )
}

const whenIdle = (run: () => void): void => {
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === 'undefined') setTimeout(run, 500)
  else requestIdleCallback(run, { timeout: 2000 })
}
