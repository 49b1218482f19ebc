/**
 * The environment of the embedded service: ours, without what would make it another service than the one we mean.
 * DATABASE_URL in a developer's shell belongs to somebody else's program.
 */
export function serviceEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== 'DATABASE_URL')
  return Object.fromEntries(kept)
}
