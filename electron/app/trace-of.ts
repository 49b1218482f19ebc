/**
 * What may be logged of an unexpected error: its class, its code, and where it was thrown. Never its message, which may quote
 * what was being parsed, and with it a value.
 */
export const traceOf = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { thrown: typeof error }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  return { name: error.name, code: 'code' in error ? String(error.code) : undefined, stack: frames.map((line) => line.trim()) }
}
