/** Returns the parts of an unexpected error that may be logged: class, code and stack. Not its message, which may quote a value. */
export const traceOf = (error: unknown): Record<string, unknown> => {
  if (!(error instanceof Error)) return { thrown: typeof error }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? []
  return { name: error.name, code: 'code' in error ? String(error.code) : undefined, stack: frames.map((line) => line.trim()) }
}
