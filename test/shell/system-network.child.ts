import { createRemote } from '../../electron/remote/create-remote.ts'
import { systemNetwork } from '../../electron/shell/system-network.ts'

/** Takes up the network of its environment and asks the service at its argument who it is. */
const { network, fetch } = systemNetwork(process.env)
const remote = createRemote({ baseUrl: process.argv[2] ?? '', apiKey: () => 'key', fetch, allowInsecure: true, timeoutMs: 10_000 })
process.stdout.write(JSON.stringify({ network, workspace: await remote.getWorkspace() }))
process.exit(0)
