/** The code of an error of Node, SQLite or PostgreSQL; null: it has none. */
export const codeOf = (error: unknown): string | null => {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : null
}
