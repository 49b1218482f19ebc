/** Waits until `work` ends, well or not, but not longer than `ms`. */
export const atMost = async (work: Promise<unknown>, ms: number): Promise<void> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work.catch(() => undefined), deadline])
  clearTimeout(timer)
}
