import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { CodeSuggestion } from '../../ui/code-editor/suggestion.ts'

/** Suggests variables for a reference in a value of this environment. `own`: the variable of that value, which can't refer to itself. */
export const suggestReferences =
  (bridge: Bridge, workspaceId: string, environmentId: string, own?: string) =>
  async (typed: string): Promise<CodeSuggestion[]> => {
    const result = await bridge.query('references.suggest', { workspaceId, environmentId, text: typed })
    if (!result.ok) return []
    return result.value
      .filter(({ insert, environment }) => environment !== null || insert !== own)
      .map(({ insert, environment, isSecret }) => ({
        insert,
        detail: [environment === null ? '' : 'another environment', isSecret === false ? '' : 'secret']
          .filter((word) => word !== '')
          .join(', '),
      }))
  }
