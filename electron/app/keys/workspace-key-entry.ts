/**
 * Returns the text that the key store has for a workspace: its key, then the former ones, newest first. They are one entry, so that a crash
 * can't come between storing a new key and keeping the former one.
 */
export const workspaceKeyEntry = (key: string, former: readonly string[]): string =>
  [key, ...former.filter((each) => each !== key)].join(' ')

/** Returns the keys of an entry, the present one first. Former keys only open what this computer sealed or verified with them. */
export const keysOfEntry = (entry: string): string[] => entry.split(' ')

/** Returns the present key of an entry. */
export const presentKey = (entry: string): string => entry.split(' ', 1).join()
