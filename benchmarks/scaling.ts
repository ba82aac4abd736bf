import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Postgres } from '../tests/servers/postgres.ts'
import { Redis } from '../tests/servers/redis.ts'
import { buildProduct } from '../tests/soak/build.ts'
import { targets } from './targets.ts'
import { rawHashing } from './hashing.ts'
import { loadWith } from './load.ts'
import { describeMachine, pin } from './machine.ts'
import { Service } from './service.ts'
import { median } from './statistics.ts'

/*
 | `npm run bench:scaling`: logins of one process on one core, and of two on two, over one
 | Postgres and one Redis. The rate at which two cores hash is the limit of the gain.
 */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    out: { type: 'string', default: join(import.meta.dirname, 'results') },
  },
})

const LOAD = { connections: 4, seconds: 3 }

async function startTwo(postgres: Postgres, redis: Redis) {
  const all = await targets(postgres, redis)
  const product = all.find(({ name }) => name === 'gatehouse-pg-redis')!
  const first = await Service.start(product)
  await first.prepare()
  const second = await Service.start(product)
  pin(second.pid, '1')
  return [first, second]
}

/** Returns logins a second of all services together; each service gets its share of the users. */
async function loginRate(services: Service[], requests: Service['requests']) {
  const share = Math.floor(requests.login!.length / services.length)
  const loads = services.map((service, at) =>
    loadWith(service, requests.login!.slice(at * share, (at + 1) * share), LOAD)
  )
  const results = await Promise.all(loads)
  if (results.some(({ failed }) => failed > 0)) throw new Error('Some logins were refused.')
  return results.reduce((sum, { rate }) => sum + rate, 0)
}

async function hashRate(cores: number) {
  const { rate } = await rawHashing(2, cores)
  return rate
}

async function measure([first, second]: Service[]) {
  const rates: Record<string, number[]> = { one: [], two: [], hashesOnOne: [], hashesOnTwo: [] }
  for (let round = 0; round <= Number(options.rounds); round++) {
    const measured = {
      one: await loginRate([first], first.requests),
      two: await loginRate([first, second], first.requests),
      hashesOnOne: await hashRate(1),
      hashesOnTwo: await hashRate(2),
    }
    if (round === 0) continue
    for (const [name, rate] of Object.entries(measured)) rates[name].push(rate)
  }
  return Object.fromEntries(
    Object.entries(rates).map(([name, each]) => [name, Math.round(median(each))])
  )
}

if (availableParallelism() < 2) throw new Error('Two processes need two cores to be compared.')
buildProduct()
const [postgres, redis] = [await Postgres.start(), await Redis.start()]
const services = await startTwo(postgres, redis)
try {
  const { one, two, hashesOnOne, hashesOnTwo } = await measure(services)
  const machine = describeMachine()
  const results = { machine, logins: { one, two }, hashes: { one: hashesOnOne, two: hashesOnTwo } }
  mkdirSync(options.out, { recursive: true })
  writeFileSync(join(options.out, 'scaling.json'), `${JSON.stringify(results, null, 2)}\n`)
  const times = (more: number, fewer: number) => `${(more / fewer).toFixed(2)}×`
  console.log(`Logins: ${one} a second by one process, ${two} by two (${times(two, one)}).`)
  console.log(
    `Hashes alone: ${hashesOnOne} and ${hashesOnTwo} (${times(hashesOnTwo, hashesOnOne)}).`
  )
} finally {
  for (const service of services) await service.stop()
  await Promise.all([postgres.remove(), redis.remove()])
}
