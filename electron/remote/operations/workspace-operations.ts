import type { Client } from '../client.ts'
import { workspaceRecord } from '../records/workspace-record.ts'
import type { Remote } from '../remote.ts'
import { dataOf } from './reply.ts'

export const workspaceOperations = ({ send }: Client): Pick<Remote, 'getWorkspace'> => ({
  getWorkspace: () => dataOf(send({ method: 'GET', path: ['workspace'] }, workspaceRecord)),
})
