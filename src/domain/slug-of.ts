/** A slug for a name, in the form Holdfast's service takes: `[a-z0-9][a-z0-9-]{0,62}`. Empty when nothing of the name fits. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 63)
    .replace(/-+$/, '')
