/**
 * Loads what opens later, one after the other while the window has nothing else to do: the first page of the window is small, and what a
 * key opens is there when the key is pressed. What fails to load is asked for again when it is opened.
 */
export const loadLater = (loads: readonly (() => Promise<unknown>)[]): void => {
  const [next, ...rest] = loads
  if (next === undefined) return
  requestIdleCallback(
    () =>
      void next().then(
        () => loadLater(rest),
        () => undefined,
      ),
    { timeout: 2000 },
  )
}
