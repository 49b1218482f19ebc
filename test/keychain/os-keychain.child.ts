import { createOsKeychain } from '../../electron/keychain/os-keychain.ts'
import { probeKeychain } from '../../electron/keychain/probe-keychain.ts'
import type { Result } from '../../electron/bridge/result.ts'

/**
 * Run by os-keychain.test.ts inside a D-Bus session of its own. Takes a list of calls as JSON, for example
 * ["set", "service", "name", "secret"], makes them one after the other on the real keychain, and prints the list of
 * answers: the value, or the kind of the error.
 */
type Call = ['probe', string] | ['get' | 'delete', string, string] | ['set', string, string, string]

const deadlineMs = Number(process.argv[3])
const calls = JSON.parse(process.argv[2] ?? '[]') as Call[]
const answers: unknown[] = []
for (const call of calls) answers.push(await answer(call))
// An exit would wait for the threads of calls that were given up, 25 seconds by D-Bus.
process.stdout.write(JSON.stringify(answers), () => process.kill(process.pid, 'SIGKILL'))

async function answer(call: Call): Promise<unknown> {
  const keychain = createOsKeychain({ service: call[1], deadlineMs })
  switch (call[0]) {
    case 'probe':
      return probeKeychain({ service: call[1], deadlineMs })
    case 'get':
      return told(await keychain.get(call[2]))
    case 'delete':
      return told(await keychain.delete(call[2]))
    case 'set':
      return told(await keychain.set(call[2], call[3]))
  }
}

function told(result: Result<unknown, { kind: string }>): unknown {
  return result.ok ? result.value : { error: result.error.kind }
}
