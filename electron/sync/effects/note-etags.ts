import type { Result } from '../../bridge/result.ts'
import type { Remote, RemoteError } from '../../remote/remote.ts'

export interface NotedEtags {
  remote: Remote
  /** Whether the last record that was read or written by itself came with an ETag: only then is If-Match known to be heeded. */
  areHeeded(): boolean
}

/**
 * The same client, which notes whether single records come with an ETag. One that stands beside a record in a list, or was stored before the
 * server was changed for another, proves nothing: a server that ignores If-Match would overwrite what somebody else wrote meanwhile.
 */
export function noteEtags(remote: Remote): NotedEtags {
  let heeded = false
  const noting =
    <A extends unknown[], T extends { etag?: string | undefined }>(send: (...args: A) => Promise<Result<T, RemoteError>>) =>
    async (...args: A): Promise<Result<T, RemoteError>> => {
      const answer = await send(...args)
      if (answer.ok) heeded = answer.value.etag !== undefined
      return answer
    }
  return {
    areHeeded: () => heeded,
    remote: {
      ...remote,
      getProject: noting(remote.getProject),
      createProject: noting(remote.createProject),
      updateProject: noting(remote.updateProject),
      getEnvironment: noting(remote.getEnvironment),
      createEnvironment: noting(remote.createEnvironment),
      updateEnvironment: noting(remote.updateEnvironment),
      getVariable: noting(remote.getVariable),
      createVariable: noting(remote.createVariable),
      updateVariable: noting(remote.updateVariable),
    },
  }
}
