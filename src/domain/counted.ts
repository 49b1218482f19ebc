/** `1 change`, `1,204 changes`: a number with its noun in the right form. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
