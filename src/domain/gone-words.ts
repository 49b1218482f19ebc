/** Says that what the user acted on no longer exists. */
export const goneWords = (count: number): string =>
  count === 1
    ? 'This variable no longer exists. It may have been deleted in the meantime.'
    : 'These variables no longer exist. They may have been deleted in the meantime.'
