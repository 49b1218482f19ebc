import { setTimeout as sleep } from 'node:timers/promises'
import { TestClient, unreachable } from '../support/build-client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startService } from '../support/start-service.ts'
import { withoutFeed } from '../support/reduced-service.ts'
import type { Network } from '../support/build-client.ts'
import { atMost } from './support/row.ts'
import type { Bench, Row } from './support/row.ts'

const rounds = 5
const forward: Network = (send) => send()

/** Two people, with the probes of the application as they are, whose next attempts lie minutes ahead when the service comes back. */
const measure = async (kind: string, network: Network): Promise<Row> => {
  const service = await startService()
  const people = [1, 2].map((seed) => new TestClient({ service, key: new Uint8Array(32), random: seededRandom(seed) }))
  const [me, other] = people
  if (me === undefined || other === undefined) throw new Error('there are two')
  me.createProject('Shop')
  me.createEnvironment('shop', 'Prod')
  const environmentId = me.find('environment', me.find('project', null, 'shop').id, 'prod').id
  me.setVariable(environmentId, 'X', 'before')
  await me.sync()
  for (const person of people) {
    person.network = network
    await person.sync()
    person.engine.start()
  }
  const ours: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    for (const person of people) person.network = unreachable
    for (const person of people) for (let tries = 0; tries < 12; tries += 1) await person.engine.syncNow()
    // Not always at the same moment of the probes.
    await sleep(round * 700)
    me.setVariable(environmentId, 'X', `offline ${round}`)
    for (const person of people) person.network = network
    const back = performance.now()
    while (other.contents()['shop/prod/X'] !== `offline ${round}`) await sleep(20)
    ours.push((performance.now() - back) / 1000)
  }
  for (const person of people) {
    await person.engine.stop()
    await person.close()
  }
  await service.close()
  return { what: `an edit of an outage with others, from the service’s return (${kind} service)`, unit: 's', ours, goal: atMost(10) }
}

/** How soon an outage is over for people, once it is over for the service. */
export const bench: Bench = async () => [await measure('full', forward), await measure('basic', withoutFeed)]
