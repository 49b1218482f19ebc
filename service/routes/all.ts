import type { Endpoint } from '../http/endpoint.ts'
import { changeEndpoints } from './changes.ts'
import { environmentEndpoints } from './environments.ts'
import { memberEndpoints } from './members.ts'
import { projectEndpoints } from './projects.ts'
import { variableEndpoints } from './variables.ts'
import { versionEndpoints } from './versions.ts'
import { workspaceEndpoints } from './workspace.ts'

/** Every endpoint that needs a key: the 14 operations and the extensions. */
export const endpoints: readonly Endpoint[] = [
  ...workspaceEndpoints,
  ...projectEndpoints,
  ...environmentEndpoints,
  ...variableEndpoints,
  ...versionEndpoints,
  ...memberEndpoints,
  ...changeEndpoints,
]
