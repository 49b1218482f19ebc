import { z } from 'zod'
import { getState, setState } from '../../mirror/workspace-state.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { Remote } from '../../remote/remote.ts'
import { listNames, type ServiceProfile } from '../../remote/service-profile.ts'

const schema = z.object({
  kind: z.enum(['full', 'basic']),
  lists: z.array(z.enum(listNames)),
  missing: z.array(z.string()),
}) satisfies z.ZodType<ServiceProfile>

/** Returns the service's profile as of the last sync; null: unknown, or stored by another version of Holdfast. */
export function readProfile(tx: Tx): ServiceProfile | null {
  const text = getState(tx, 'service-profile')
  if (text === null) return null
  const parsed = schema.safeParse(JSON.parse(text))
  return parsed.success ? parsed.data : null
}

/** Keeps a profile for the time when the service cannot be asked. */
const keepProfile = (tx: Tx, profile: ServiceProfile): void => setState(tx, 'service-profile', JSON.stringify(profile))

/** Stores the profile that a client has found, and returns whether it is new. */
export function noteProfile(mirror: Mirror, remote: Pick<Remote, 'profile'>): boolean {
  const profile = remote.profile()
  if (profile === null || JSON.stringify(profile) === JSON.stringify(mirror.snapshot(readProfile))) return false
  mirror.write((tx) => keepProfile(tx, profile))
  return true
}
