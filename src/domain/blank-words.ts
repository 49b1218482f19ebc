/** What a cell says of a value in which there is nothing to see; null: there is something. */
export const blankWords = (value: string): string | null => (value === '' ? 'empty' : value.trim() === '' ? 'only white space' : null)
