import { parseArgs } from 'node:util'
import { sharedSettings } from '../tests/process/backend.ts'
import { Product } from '../tests/process/product.ts'
import { Postgres } from '../tests/servers/postgres.ts'
import { buildProduct } from '../tests/soak/build.ts'
import { describeMachine } from './machine.ts'
import { offer, type Offered } from './open_loop.ts'
import { send } from './send.ts'
import { median, waitsOf } from './statistics.ts'
import { duringEvents, EVENTS_A_SECOND, prepare, SETTINGS } from './webhook_events.ts'
import { offeredTable, ratedTable, type Pair, type Rated, type Series } from './webhook_report.ts'
import type { Bench } from './webhook_events.ts'

/*
 | `npm run bench:webhooks`: logins and profiles while 200 events a second happen, with an endpoint
 | that gets each of them and, in turn, with the endpoint disabled. First as many requests as the
 | machine can answer, then a half and a quarter as many (`--parts=2,4`), at a fixed rate.
 | `--on=Postgres` measures only Postgres.
 */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '5' },
    parts: { type: 'string', default: '2,4' },
    on: { type: 'string', default: 'SQLite,Postgres' },
  },
})

const [ROUNDS, SECONDS] = [Number(options.rounds), Number(options.seconds)]
const CALLERS = 4

/** The parts of the full rate: a half and a quarter. */
const PARTS = options.parts.split(',').map((part) => 1 / Number(part))

/** Fewer rounds, because no bound applies to the full rate. */
const FULL_ROUNDS = Math.min(4, ROUNDS)

const KINDS = ['profile', 'login'] as const
type Kind = (typeof KINDS)[number]

type Both<Value> = Record<Kind, Value>

function askerOf({ product, token, users }: Bench): Both<() => Promise<unknown>> {
  let next = 0
  return {
    profile: () => send(product, '/auth/profile', { token }),
    login: () => send(product, '/auth/login', { body: users[next++ % users.length] }),
  }
}

/** Runs a few callers, each of which sends one request after the other. */
async function askFully(ask: () => Promise<unknown>): Promise<Rated> {
  const times: number[] = []
  const endsAt = performance.now() + SECONDS * 1_000
  const call = async () => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now()
      await ask()
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  return { ...waitsOf(times), rate: times.length / SECONDS }
}

interface Round<Value> {
  result: Both<Value>
  delivered: number
}

type Measure<Value> = (kind: Kind) => Promise<Value>

async function measureBoth<Value>(measure: Measure<Value>): Promise<Both<Value>> {
  return { profile: await measure('profile'), login: await measure('login') }
}

/** Runs rounds with and without deliveries in turn; each kind is first in every other pair. */
async function alternate<Value>(bench: Bench, measure: Measure<Value>, count: number) {
  const rounds: Pair<Round<Value>[]> = { without: [], with: [] }
  for (let round = 0; round < count; round++) {
    const order = round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const)
    for (const name of order) {
      const both = () => measureBoth(measure)
      rounds[name].push(await duringEvents(bench, name === 'with', both))
    }
  }
  return rounds
}

function seriesOf<Value>(on: string, rounds: Pair<Round<Value>[]>): Series<Value>[] {
  const delivered = median(rounds.with.map((round) => round.delivered))
  if (delivered < 0.9 * EVENTS_A_SECOND)
    console.error(`${on}: the machine is too busy for so many events, so the figures mean nothing`)
  return KINDS.map((what) => {
    const of = (each: Round<Value>[]) => each.map(({ result }) => result[what])
    return { on, what, rounds: { without: of(rounds.without), with: of(rounds.with) }, delivered }
  })
}

async function measureProduct(on: string, product: Product) {
  const bench = await prepare(product)
  const ask = askerOf(bench)
  try {
    await alternate(bench, (kind) => askFully(ask[kind]), 1)
    const rated = seriesOf(on, await alternate(bench, (kind) => askFully(ask[kind]), FULL_ROUNDS))
    const fullRate = (kind: Kind) => {
      const { rounds } = rated.find(({ what }) => what === kind)!
      return median(rounds.without.map(({ rate }) => rate))
    }
    const offered: Series<Offered>[] = []
    for (const part of PARTS) {
      const measure = (kind: Kind) =>
        offer(ask[kind], { rate: part * fullRate(kind), seconds: SECONDS })
      offered.push(...seriesOf(on, await alternate(bench, measure, ROUNDS)))
    }
    return { rated, offered }
  } finally {
    await bench.receiver.stop()
  }
}

async function run(on: string, settings: Record<string, string>) {
  const product = await Product.start({ ...settings, ...SETTINGS })
  try {
    return await measureProduct(on, product)
  } finally {
    await product.remove()
  }
}

buildProduct()
const server = await Postgres.start()
const onPostgres = sharedSettings(await server.createDatabase('bench_webhooks'))
try {
  const measured = []
  if (options.on.includes('SQLite')) measured.push(await run('SQLite', {}))
  if (options.on.includes('Postgres')) measured.push(await run('Postgres', onPostgres))
  const rated: Series<Rated>[] = measured.flatMap((each) => each.rated)
  const offered: Series<Offered>[] = measured.flatMap((each) => each.offered)
  console.log(JSON.stringify(describeMachine()))
  console.log(`\nAs many as the machine gives, ${CALLERS} callers:\n`)
  console.log(ratedTable(rated).join('\n'))
  console.log('\nA part of as many as without deliveries, at a fixed rate:\n')
  console.log(offeredTable(offered).join('\n'))
} finally {
  await server.remove()
}
