import { setTimeout as wait } from 'node:timers/promises'
import { ReceiverProcess } from './receiver_process.ts'
import { send } from './send.ts'
import type { Product } from '../tests/process/product.ts'

/* Two hundred events a second, and an endpoint that gets each of them. */

const GROUPS_AT_ONCE = 20
const CHANGES_A_SECOND = 10

export const EVENTS_A_SECOND = GROUPS_AT_ONCE * CHANGES_A_SECOND

const ADMIN = { email: 'admin@bench.example', password: 'Correct-h0rse!' }
/** One user may have few logins at the same time. */
const USERS = Array.from({ length: 20 }, (_, number) => ({
  email: `user${number}@bench.example`,
  password: ADMIN.password,
}))

export const SETTINGS = {
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  ACCESS_TOKEN_TTL: '24h',
  LOGIN_IP_LIMIT: '0',
  LOGIN_THROTTLE_LIMIT: '0',
  OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8',
}

export interface Bench {
  product: Product
  receiver: ReceiverProcess
  token: string
  userId: string
  webhookId: string
  groups: string[]
  /** The users who log in. */
  users: typeof USERS
}

export async function prepare(product: Product): Promise<Bench> {
  const { accessToken: token, user } = await send(product, '/auth/login', { body: ADMIN })
  for (const each of USERS)
    await send(product, '/users', { token, body: { ...each, username: 'Ada' } })
  const groups = Array.from({ length: GROUPS_AT_ONCE }, (_, number) => `team ${number}`)
  for (const name of groups) await send(product, '/groups', { token, body: { name } })
  const receiver = await ReceiverProcess.start()
  const body = { url: receiver.url, events: ['group.*'] }
  const webhook = await send(product, '/webhooks', { token, body })
  return { product, receiver, token, userId: user.id, webhookId: webhook.id, groups, users: USERS }
}

/** Makes an event for each group with each change. @returns a function that stops the changes */
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
  /** `stop` throws the error: unhandled, it would end this process and leave its servers. */
  working.catch(() => {})
  return () => {
    isOver = true
    return working
  }
}

/** Returns what is measured during events, and how many events a second came to the endpoint. */
export async function duringEvents<Result>(
  bench: Bench,
  enabled: boolean,
  measure: () => Promise<Result>
) {
  const { product, receiver, token, webhookId } = bench
  await send(product, `/webhooks/${webhookId}`, { method: 'PUT', token, body: { enabled } })
  const stop = makeEvents(bench)
  await wait(1_000)
  await receiver.count()
  const startedAt = performance.now()
  const result = await measure()
  const delivered = ((await receiver.count()) * 1_000) / (performance.now() - startedAt)
  await stop()
  return { result, delivered }
}
