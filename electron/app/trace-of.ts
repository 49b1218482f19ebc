/**
 * The parts of an unexpected error that may be logged: its class, code and stack. Never its message, which may quote the parsed text, and
 * so a value.
 */
export const traceOf = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { thrown: typeof error }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  return { name: error.name, code: 'code' in error ? String(error.code) : undefined, stack: frames.map((line) => line.trim()) }
}
