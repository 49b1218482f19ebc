import type { KeyStores } from './key-stores.ts'
export declare const createKeyStores: (dataDir: string) => KeyStores
