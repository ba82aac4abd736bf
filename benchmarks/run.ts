import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Postgres } from '../tests/servers/postgres.ts'
import { Redis } from '../tests/servers/redis.ts'
import { buildProduct } from '../tests/soak/build.ts'
import { ALL_CORES, describeMachine, OTHER_CORES, pin, SERVER_CORE } from './machine.ts'
import { targets, OPERATIONS, type OperationName } from './targets.ts'
import { loadWith, type Round } from './load.ts'
import { measureOpenId, OPENID_OPERATIONS } from './openid.ts'
import { measureChanges } from './changes.ts'
import { overload } from './overload.ts'
import { Service } from './service.ts'
import { keycloakTarget } from './keycloak.ts'
import { report } from './report.ts'
import { COUNTING, countStatements, readCount, type Servers } from './statements.ts'
import { hashAlone, type RawHashing } from './hashing.ts'
import type { Measured } from './measured.ts'

/*
 | Starts product and peers, loads them in turn, round after round, and writes the
 | results: `npm run bench`, or `npm run bench -- --quick`.
 */

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    algorithm: { type: 'string', default: 'HS256' },
    operations: { type: 'string', default: [...OPERATIONS, 'openid'].join(',') },
    openid: { type: 'string', default: '' },
    out: { type: 'string', default: join(import.meta.dirname, 'results') },
  },
})

const PLAN = options.quick ? { rounds: 2, seconds: 1 } : { rounds: 4, seconds: 2 }
const CONNECTIONS: Record<OperationName, number> = { profile: 64, login: 8, refresh: 64 }

/** The peers are not a dependency of the product: they are installed here, only by this command. */
function install() {
  const folder = import.meta.dirname
  const run = (program: string, ...args: string[]) => {
    const { status } = spawnSync(program, args, { cwd: folder, stdio: 'inherit' })
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`)
  }
  if (!existsSync(join(folder, 'node_modules'))) run('npm', 'ci', '--no-audit', '--no-fund')
  run(process.execPath, join(folder, '../node_modules/typescript/bin/tsc'), '-p', 'peers/nest')
  copyFileSync(join(folder, 'peers/argon2.js'), join(folder, 'build/argon2.js'))
}

const isWanted = (name: string) => !options.only || options.only.split(',').includes(name)

const leftOut: Measured['leftOut'] = []

/** Returns nothing if this machine has no Java or no archive of Keycloak; the tables say so. */
async function keycloak(postgres: Postgres) {
  if (!isWanted('keycloak') || !options.operations.includes('openid')) return []
  try {
    return [await keycloakTarget(postgres)]
  } catch (error) {
    leftOut.push({ title: 'Keycloak', reason: `not started: ${(error as Error).message}` })
    return []
  }
}

async function startAll(postgres: Postgres, redis: Redis) {
  const services: Service[] = []
  const all = await targets(postgres, redis, options.algorithm)
  for (const target of [...all, ...(await keycloak(postgres))]) {
    if (!isWanted(target.name)) continue
    let service: Service | undefined
    try {
      service = await Service.start(target)
      await service.prepare()
      services.push(service)
    } catch (error) {
      console.error(`${target.name} is left out: ${(error as Error).message}`)
      leftOut.push({ title: target.title, reason: 'not started' })
      await service?.stop()
    }
  }
  return services
}

/** A login waits for its hash, which may run on every core; everything else runs on one core. */
function pinFor(operation: OperationName, service: Service) {
  pin(service.pid, operation === 'login' ? ALL_CORES : SERVER_CORE)
}

async function measure(services: Service[], operation: OperationName, hashing: RawHashing[]) {
  const rounds = new Map<string, Round[]>()
  for (let round = 0; round <= PLAN.rounds; round++) {
    const isWarmUp = round === 0
    if (operation === 'login' && !isWarmUp) hashing.push(await hashAlone(PLAN.seconds))
    for (const service of services) {
      const requests = service.requests[operation]
      const measured = requests ?? (operation === 'refresh' ? baselineOf(service) : undefined)
      if (!measured) continue
      pinFor(operation, service)
      const load = { connections: CONNECTIONS[operation], seconds: PLAN.seconds }
      const result = await loadWith(service, measured, isWarmUp ? { ...load, seconds: 1 } : load)
      const { name } = service.target
      if (!isWarmUp) rounds.set(name, [...(rounds.get(name) ?? []), result])
    }
  }
  return rounds
}

/** The empty route is the measure of every operation that does not hash. */
function baselineOf({ target, requests }: Service) {
  return target.role === 'baseline' ? requests.profile : undefined
}

/** Measures everything, in this order. */
async function measureAll(services: Service[], servers: Servers) {
  const hashing: RawHashing[] = []
  const rounds: Measured['rounds'] = {}
  const openid = await measureProviders(services, servers)
  const wanted = OPERATIONS.filter((name) => options.operations.includes(name))
  for (const operation of wanted) {
    rounds[operation] = Object.fromEntries(await measure(services, operation, hashing))
  }
  const more = wanted.length > 0 ? await measureMore(services, servers, hashing) : NOTHING_MORE
  return { rounds, hashing, openid, ...more }
}

const NOTHING_MORE = { overloads: {}, statements: {}, changes: {} }

async function measureMore(services: Service[], servers: Servers, hashing: RawHashing[]) {
  const rate = Math.round(3 * (hashing.at(-1) ?? (await hashAlone(PLAN.seconds))).rate)
  return {
    overloads: await ofEach(services, 'login', (service) => {
      pin(service.pid, ALL_CORES)
      return overload(service, { rate, seconds: options.quick ? 2 : 4 })
    }),
    statements: await ofEach(
      services.filter(({ target }) => target.database && target.role !== 'provider'),
      'login',
      (service) => countStatements(service, servers)
    ),
    changes: await ofEach(
      services.filter(({ target }) => target.role === 'product'),
      'login',
      (service) => {
        pin(service.pid, SERVER_CORE)
        return measureChanges(service)
      }
    ),
  }
}

/** Returns the results of services that have an operation, by name, one after the other. */
function ofEach<Result>(
  services: Service[],
  operation: OperationName,
  measureOne: (service: Service) => Promise<Result>
) {
  return inTurn(
    services.filter(({ requests }) => requests[operation]),
    measureOne
  )
}

async function inTurn<Result>(
  services: Service[],
  measureOne: (service: Service) => Promise<Result>
) {
  const results: Record<string, Result> = {}
  for (const service of services) results[service.target.name] = await measureOne(service)
  return results
}

/** Runs before everything else, because the memory before the first request is measured as well. */
function measureProviders(services: Service[], servers: Servers) {
  if (!options.operations.includes('openid')) return {}
  const providers = services.filter(({ target }) => target.openid)
  return measureOpenId(providers, {
    ...PLAN,
    operations: OPENID_OPERATIONS.filter((name) => name.startsWith(options.openid)),
    readCount: (service) => (service.target.database ? () => readCount(service, servers) : null),
  })
}

async function main() {
  install()
  buildProduct()
  const machine = describeMachine()
  const settings = { max_connections: 200, ...COUNTING }
  const servers = {
    postgres: await Postgres.start({ isDurable: true, settings }),
    redis: await Redis.start(),
  }
  let services: Service[] = []
  try {
    for (const { pid } of Object.values(servers)) pin(pid, OTHER_CORES)
    services = await startAll(servers.postgres, servers.redis)
    const results = await measureAll(services, servers)
    report(
      { machine, plan: PLAN, targets: services.map(describe), leftOut, ...results },
      options.out
    )
  } finally {
    for (const service of services) await service.stop()
    await Promise.all([servers.postgres.remove(), servers.redis.remove()])
    for (const { target } of services) {
      if (target.env.DATA_DIR) rmSync(target.env.DATA_DIR, { recursive: true, force: true })
    }
  }
}

function describe({ target: { name, title, role }, startMs, idleMb }: Service) {
  return { name, title, role, startMs, idleMb }
}

await main()
