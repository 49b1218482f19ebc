/** The `v<number>` that the service is likely to give the next version. `waiting`: how many unnamed ones are to be saved before it. */
export const nextLabel = (labels: readonly (string | null)[]): string => {
  const numbers = labels.flatMap((label) => (label !== null && /^v\d{1,9}$/.test(label) ? [Number(label.slice(1))] : []))
  const waiting = labels.filter((label) => label === null).length
  return `v${numbers.reduce((most, number) => Math.max(most, number), 0) + waiting + 1}`
}
