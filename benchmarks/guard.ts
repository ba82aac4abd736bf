import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { temporaryFolder } from '../tests/support/temporary_folder.ts'
import { Postgres } from '../tests/servers/postgres.ts'
import { Redis } from '../tests/servers/redis.ts'
import { buildProduct } from '../tests/soak/build.ts'
import { targets, type Target } from './targets.ts'
import { loadWith } from './load.ts'
import { describeMachine, OTHER_CORES, pin } from './machine.ts'
import { Service } from './service.ts'

/*
 | `npm run bench:guard`: whether a request costs more than before. Processor time of the product
 | for each answer, as a multiple of what the framework's empty route takes in the same
 | run, is compared with what `--record` wrote; the result does not depend on the clock.
 */

const { values: options } = parseArgs({ options: { record: { type: 'boolean', default: false } } })

const FILE = join(import.meta.dirname, 'guard.json')
const TOLERANCE = 1.25
const ROUNDS = 8
const LOAD = { connections: 64, seconds: 1 }
const OPERATIONS = ['profile', 'refresh'] as const

type Costs = Record<string, number>

/** Adds a log line for each request; request logs are off elsewhere. */
function logging(target: Target): Target {
  const env = { ...target.env, LOG_REQUESTS: 'on', LOG_LEVEL: 'info' }
  const DATA_DIR = temporaryFolder('bench')
  return { ...target, name: `${target.name}, logged,`, env: { ...env, DATA_DIR } }
}

function measured(all: Target[]) {
  const sqlite = all.find(({ name }) => name === 'gatehouse-sqlite')!
  return [...all, logging(sqlite)]
}

async function startAll(all: Target[]) {
  const services: Service[] = []
  for (const target of all) {
    if (target.role !== 'product' && target.role !== 'baseline') continue
    const service = await Service.start(target)
    services.push(service)
    await service.prepare()
  }
  return services
}

/** Returns the lowest cost of an answer, as a multiple of the lowest cost of the empty route. */
async function measure(services: Service[]) {
  const empty = services.find(({ target }) => target.role === 'baseline')!
  const least: Costs = {}
  const note = (name: string, cpuUs: number) => {
    least[name] = Math.min(least[name] ?? Infinity, cpuUs)
  }
  for (let round = 0; round <= ROUNDS; round++) {
    const { cpuUs: unit } = await loadWith(empty, empty.requests.profile!, LOAD)
    if (round > 0) note('empty', unit)
    for (const service of services.filter((each) => each !== empty)) {
      for (const operation of OPERATIONS) {
        const { cpuUs } = await loadWith(service, service.requests[operation]!, LOAD)
        if (round > 0) note(`${service.target.name} ${operation}`, cpuUs)
      }
    }
  }
  const { empty: unit, ...costs } = least
  const relative = Object.entries(costs).map(([name, us]) => [name, Number((us / unit).toFixed(2))])
  return Object.fromEntries(relative) as Costs
}

/** The costs and their processor: the share of a system call differs between processors. */
interface Recording {
  processor: string
  costs: Costs
}

function compare(costs: Costs, { processor, costs: recorded }: Recording) {
  if (processor !== describeMachine().processor) {
    console.log(
      `Recorded on ${processor}: record the commit to compare with on this machine first.`
    )
  }
  const costlier = Object.keys(costs).filter((name) => costs[name] > recorded[name] * TOLERANCE)
  for (const [name, cost] of Object.entries(costs)) {
    const verdict = costlier.includes(name) ? 'more than' : 'against'
    console.log(`${name}: ${cost} empty routes, ${verdict} ${recorded[name] ?? 'nothing'} recorded`)
  }
  return costlier.length === 0
}

buildProduct()
const postgres = await Postgres.start({ settings: { max_connections: 200 } })
const redis = await Redis.start()
for (const { pid } of [postgres, redis]) pin(pid, OTHER_CORES)
const services = await startAll(measured(await targets(postgres, redis)))
const costs = await measure(services)
for (const service of services) await service.stop()
await postgres.remove()
await redis.remove()
if (options.record || !existsSync(FILE)) {
  const recording: Recording = { processor: describeMachine().processor, costs }
  writeFileSync(FILE, `${JSON.stringify(recording, null, 2)}\n`)
  console.log(JSON.stringify(recording, null, 2))
} else {
  process.exitCode = compare(costs, JSON.parse(readFileSync(FILE, 'utf8'))) ? 0 : 1
}
