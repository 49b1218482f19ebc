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
    for (const { name, slug } of sampleEnvironments) {
      const environment = createParent(tx, context, 'environment', project.value.id, { name, slug })
      if (!environment.ok) return environment
      const environmentId = environment.value.id
      first ??= environmentId
      for (const { values, ...variable } of sample.variables) {
        const value = values[slug]
        if (value === undefined) continue
        const created = createVariable(tx, context, cipher, { environmentId, value, ...variable })
        if (!created.ok) return created
      }
    }
  }
  if (first === null) throw new Error('The sample has an environment.')
  return ok({ environmentId: first })
}
