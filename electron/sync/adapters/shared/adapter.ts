import type { SyncPort } from '../../port.ts'

/** The part of the port that depends on the kind of service. */
export type Adapter = Omit<SyncPort, 'identify' | 'probe'>
