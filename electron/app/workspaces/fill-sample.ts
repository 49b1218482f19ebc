import { err, ok, type Result } from '../../bridge/result.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Remote, RemoteError } from '../../remote/remote.ts'
import { sampleEnvironments, sampleProjects, type SampleProject } from './sample-data.ts'

const fillEnvironment = async (
  remote: Remote,
  cipher: WorkspaceCipher,
  project: SampleProject,
  environment: { name: string; slug: string },
) => {
  const created = await remote.createEnvironment(project.slug, environment, {})
  if (!created.ok) return created
  const variables = project.variables.flatMap(({ name, type, isSecret, values }) => {
    const value = values[environment.slug]
    return value === undefined ? [] : [{ name, type, isSecret, value: cipher.seal(value).sealed }]
  })
  return remote.upsertVariables(project.slug, environment.slug, variables, {})
}

/** Puts the sample's projects, environments and variables into an empty service; the first failure ends it. */
export const fillSample = async (remote: Remote, cipher: WorkspaceCipher): Promise<Result<null, RemoteError>> => {
  for (const project of sampleProjects) {
    const created = await remote.createProject({ name: project.name, slug: project.slug }, {})
    if (!created.ok) return err(created.error)
    for (const environment of sampleEnvironments) {
      const filled = await fillEnvironment(remote, cipher, project, environment)
      if (!filled.ok) return err(filled.error)
    }
  }
  return ok(null)
}
