import { ok, type Result } from '../../bridge/result.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { createParent } from '../edits/edit-parents.ts'
import { createVariable } from '../variables/edit-variable.ts'
import { sampleEnvironments, type SampleProject } from '../workspaces/sample-data.ts'

/** Queues projects of the sample with their environments and variables. Returns the local id of the first environment. */
export function addSample(
  tx: Tx,
  context: EditContext,
  cipher: WorkspaceCipher,
  projects: readonly SampleProject[],
): Result<{ environmentId: string }> {
  let first: string | null = null
  for (const sample of projects) {
    const project = createParent(tx, context, 'project', null, { name: sample.name })
    if (!project.ok) return project
    for (const each of sampleEnvironments) {
      const environment = addEnvironment(tx, context, cipher, project.value.id, { ...each, variables: sample.variables })
      if (!environment.ok) return environment
      first ??= environment.value.id
    }
  }
  if (first === null) throw new Error('The sample has an environment.')
  return ok({ environmentId: first })
}

/** Queues an environment with the variables that have a value there. */
function addEnvironment(
  tx: Tx,
  context: EditContext,
  cipher: WorkspaceCipher,
  projectId: string,
  { name, slug, variables }: { name: string; slug: string; variables: SampleProject['variables'] },
): Result<{ id: string }> {
  const environment = createParent(tx, context, 'environment', projectId, { name, slug })
  if (!environment.ok) return environment
  for (const { values, ...variable } of variables) {
    const value = values[slug]
    if (value === undefined) continue
    const created = createVariable(tx, context, cipher, { environmentId: environment.value.id, value, ...variable })
    if (!created.ok) return created
  }
  return environment
}
