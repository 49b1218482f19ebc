/** Says that what the user acted on no longer exists, as the application does. */
export const goneWords = (what: 'project' | 'environment' | 'variable', count = 1): string =>
  count === 1
    ? `This ${what} no longer exists. It may have been deleted in the meantime.`
    : `These ${what}s no longer exist. They may have been deleted in the meantime.`
