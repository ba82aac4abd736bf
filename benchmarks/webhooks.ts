import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sharedSettings } from '../tests/process/backend.ts'
import { Product } from '../tests/process/product.ts'
import { Postgres } from '../tests/servers/postgres.ts'
import { buildProduct } from '../tests/soak/build.ts'
import { describeMachine } from './machine.ts'
import { ReceiverProcess } from './receiver_process.ts'
import { send } from './send.ts'
import { median, percentile, ratioOf } from './statistics.ts'
import { range } from './table.ts'

/*
 | `npm run bench:webhooks`: logins and profiles while 200 events a second happen, with an endpoint
 | that gets each of them and, in turn, with the endpoint disabled.
 */

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
  },
})

const [ROUNDS, MS] = [Number(options.rounds), Number(options.seconds) * 1_000]
const GROUPS_AT_ONCE = 20
const CHANGES_A_SECOND = 10
const CALLERS = 4

const ADMIN = { email: 'admin@bench.example', password: 'Correct-h0rse!' }
/** Each login beyond the fiftieth ends a session. */
const USER = { email: 'user@bench.example', password: ADMIN.password }

const SETTINGS = {
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  ACCESS_TOKEN_TTL: '24h',
  LOGIN_IP_LIMIT: '0',
  LOGIN_THROTTLE_LIMIT: '0',
  OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8',
}

interface Bench {
  product: Product
  receiver: ReceiverProcess
  token: string
  userId: string
  webhookId: string
  groups: string[]
}

async function prepare(product: Product): Promise<Bench> {
  const { accessToken: token, user } = await send(product, '/auth/login', { body: ADMIN })
  await send(product, '/auth/register', { body: { ...USER, username: 'Ada' } })
  const groups = Array.from({ length: GROUPS_AT_ONCE }, (_, number) => `team ${number}`)
  for (const name of groups) await send(product, '/groups', { token, body: { name } })
  const receiver = await ReceiverProcess.start()
  const body = { url: receiver.url, events: ['group.*'] }
  const webhook = await send(product, '/webhooks', { token, body })
  return { product, receiver, token, userId: user.id, webhookId: webhook.id, groups }
}

/** Each change is an event for each of the groups. @returns what stops them */
function makeEvents({ product, token, userId, groups }: Bench) {
  let isOver = false
  const path = `/users/${userId}/groups`
  const work = async () => {
    const startedAt = performance.now()
    for (let count = 0; !isOver; count++) {
      await wait(Math.max(0, startedAt + (count * 1_000) / CHANGES_A_SECOND - performance.now()))
      const body = { groups: count % 2 === 0 ? groups : [] }
      await send(product, path, { method: 'PUT', token, body })
    }
    await send(product, path, { method: 'PUT', token, body: { groups: [] } })
  }
  const working = work()
  /** `stop` throws it: unhandled, it would end this process and leave its servers. */
  working.catch(() => {})
  return () => {
    isOver = true
    return working
  }
}

/** The times of all answers that a few callers get, each asking in turn. */
async function timesOf(ask: () => Promise<unknown>) {
  const times: number[] = []
  const endsAt = performance.now() + MS
  const call = async () => {
    while (performance.now() < endsAt) {
      const startedAt = performance.now()
      await ask()
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  return times
}

interface Measured {
  login: number[]
  profile: number[]
  /** Events that came to the endpoint in a second. */
  delivered: number
}

async function measure(bench: Bench, enabled: boolean): Promise<Measured> {
  const { product, receiver, token, webhookId } = bench
  await send(product, `/webhooks/${webhookId}`, { method: 'PUT', token, body: { enabled } })
  const stop = makeEvents(bench)
  await wait(1_000)
  await receiver.count()
  const startedAt = performance.now()
  const profile = await timesOf(() => send(product, '/auth/profile', { token }))
  const login = await timesOf(() => send(product, '/auth/login', { body: USER }))
  const delivered = ((await receiver.count()) * 1_000) / (performance.now() - startedAt)
  await stop()
  return { login, profile, delivered }
}

const rateOf = (times: number[]) => (times.length * 1_000) / MS

function rowOf(title: string, quiet: Measured[], told: Measured[], what: 'login' | 'profile') {
  const rates = [quiet, told].map((rounds) => rounds.map((round) => rateOf(round[what])))
  const ratio = ratioOf(rates[1], rates[0])
  const [p50, p99] = [50, 99].map((percent) =>
    [quiet, told]
      .map((rounds) =>
        percentile(
          rounds.flatMap((round) => round[what]),
          percent
        ).toFixed(1)
      )
      .join(' → ')
  )
  const [before, after] = rates.map((each) => Math.round(median(each)))
  const delivered = Math.round(median(told.map((round) => round.delivered)))
  if (delivered < 0.8 * GROUPS_AT_ONCE * CHANGES_A_SECOND)
    console.error(
      `${title}: the machine is too busy for so many events, so the ratio means nothing`
    )
  const cells = [title, what, before, after, range(ratio), p50, p99]
  return `| ${[...cells, delivered].join(' | ')} |`
}

async function run(title: string, settings: Record<string, string>) {
  const product = await Product.start({ ...settings, ...SETTINGS })
  const bench = await prepare(product)
  const rounds: Record<'quiet' | 'told', Measured[]> = { quiet: [], told: [] }
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const [quiet, told] = [await measure(bench, false), await measure(bench, true)]
      /** The first round compiles. */
      if (round === 0) continue
      rounds.quiet.push(quiet)
      rounds.told.push(told)
    }
  } finally {
    await bench.receiver.stop()
    await product.remove()
  }
  const { quiet, told } = rounds
  return [rowOf(title, quiet, told, 'profile'), rowOf(title, quiet, told, 'login')]
}

buildProduct()
const server = await Postgres.start()
const onPostgres = sharedSettings(await server.createDatabase('bench_webhooks'))
try {
  const rows = [...(await run('SQLite', {})), ...(await run('Postgres', onPostgres))]
  console.log(JSON.stringify(describeMachine()))
  console.log(
    '| on | what | without, a second | with | ratio | p50 ms | p99 ms | events a second |'
  )
  console.log(`| --- | --- |${' ---: |'.repeat(6)}`)
  console.log(rows.join('\n'))
} finally {
  await server.remove()
}
