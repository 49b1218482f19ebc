import type { SyncPort } from '../../port.ts'

/** One way to speak with a service: the part of the port that depends on what it offers. */
export type Adapter = Omit<SyncPort, 'identify' | 'probe'>
