import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { bootSettings } from './boot.ts'
import { buildProduct } from './build.ts'
import { Random } from './random.ts'
import type { Member } from './servers.ts'

/*
 | `npm run failover -- --engine=sentinel --seconds=60`: starts each engine that `docs/deploy.md`
 | names (PgBouncer, Redis Sentinel, a Redis Cluster of six, a streaming standby that commits wait
 | for) with two processes under a bounded load, and fails it over again and again. No request gets
 | a 5xx other than 503, nothing acknowledged is lost, and each process serves again ten seconds
 | after the takeover.
 */

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'pgbouncer,sentinel,cluster,standby' },
    seconds: { type: 'string', default: '40' },
    clients: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(randomInt(2 ** 32)) },
  },
})

const HEALED_MS = 10_000

buildProduct()
await bootSettings()
const { startServers } = await import('./installation.ts')
const { Round } = await import('./round.ts')
const { ENGINES } = await import('./engines.ts')
const { newcomer } = await import('#tests/process/backend')
console.log(`seed ${values.seed}`)
const random = new Random(Number(values.seed))
let hasFailed = false

const outputOf = (members: Member[]) => members.flatMap(({ product }) => product.output).join('')

async function healed(members: Member[]) {
  const startedAt = performance.now()
  for (const { product } of members) while (!(await isServing(product))) continue
  return performance.now() - startedAt
}

async function isServing(product: Member['product']) {
  return newcomer(product).then(
    ({ token }) => Boolean(token),
    () => false
  )
}

for (const name of values.engine.split(',')) {
  if (!Object.hasOwn(ENGINES, name)) {
    console.error(`Unknown engine ${name}. Engines: ${Object.keys(ENGINES).join(', ')}`)
    process.exit(2)
  }
  hasFailed = (await run(name)) || hasFailed
}
process.exit(hasFailed ? 1 : 0)

async function run(name: string) {
  const engine = await ENGINES[name]()
  const servers = await startServers(engine.settings)
  const times: number[] = []
  const failOver = async () => {
    await engine.failOver()
    const time = await healed(servers.running)
    times.push(Math.round(time))
    await engine.restore()
    if (time > HEALED_MS) throw new Error(`healed after ${Math.round(time)} ms`)
  }
  const { query } = engine
  const faults = { 'failed over': failOver }
  const remove = async () => {
    await servers.remove()
    await engine.remove()
  }
  const installation = { name, servers, query, faults, backend: null, disk: null, remove }
  try {
    const options = {
      random: random.fork(),
      seconds: Number(values.seconds),
      clients: Number(values.clients),
    }
    const report = await new Round(installation, options).run()
    if (report.violations.length > 0) console.log(outputOf(servers.started))
    console.log(JSON.stringify({ ...report, healedMs: times }, null, 2))
    return report.violations.length > 0 || times.length === 0
  } finally {
    await remove()
  }
}
