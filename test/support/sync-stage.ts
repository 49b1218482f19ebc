import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { startFuzzService, type FuzzService } from '../fuzz/fuzz-service.ts'
import { stageOf, type ServiceStage } from './service-stage.ts'

/** For each test a service in this process, without a port, and clients of one workspace key; all of it is closed after the test. */
export function createSyncStage(): ServiceStage<FuzzService> {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
  return stageOf(
    () => startFuzzService(parent, {}),
    ({ fetch }) => ({ parent, fetch }),
  )
}
