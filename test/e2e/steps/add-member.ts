import { keys } from '../../../service/cli/keys.ts'
import type { ServiceOnStage } from '../service-on-stage.ts'

/** A new member with this role: their id and API key. */
export async function addMember(service: ServiceOnStage, roleId: string): Promise<{ id: string; apiKey: string }> {
  const email = `${roleId}@example.com`
  const invited = await service.ask('POST', '/members', { email, roleId })
  const printed: object[] = []
  const output = { print: (line: object) => void printed.push(line), printError: () => undefined }
  await keys(['create', '--email', email, '--data', service.dataDir], output)
  const [line] = printed
  return { id: String(invited.body.data['id']), apiKey: line !== undefined && 'apiKey' in line ? String(line.apiKey) : '' }
}
