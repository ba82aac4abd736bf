import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { ADMIN } from '#tests/process/application'
import { signIn } from '#tests/process/backend'
import { Receiver, type Answer } from '#tests/servers/receiver'
import { until } from '#tests/support/waiting'
import { publicTypeOf, TEST_TYPE } from '#webhooks/types/public_types'
import type { Product } from '#tests/process/product'

/*
 | A webhook for all events. Each committed event with a public type arrives at least once, with its
 | id, type and sequence. No event arrives that was rolled back.
 */

type Query = (sql: string) => Promise<Record<string, any>[]>

interface Receipt {
  type: string
  sequence: number
  times: number
}

const ATTEMPTS = 10

/** A killed process holds the webhook's lease for ten seconds. */
const DELIVERY_MS = 60_000

/** A failed delivery may wait this long by its schedule, before the check sends it immediately. */
const PATIENCE_MS = 10_000

/** One of this many first tries fails in each way. */
const FAILING = 32

const FAIL: Answer[] = [
  (response) => response.writeHead(500).end(),
  (response) => response.socket?.destroy(),
]

export class Subscription {
  readonly violations = new Set<string>()
  readonly #receipts = new Map<string, Receipt>()
  readonly #failed = new Set<string>()
  readonly #receiver = new Receiver((response, request) => {
    const id = String(request.headers['webhook-id'])
    const fail = this.#failed.has(id) ? undefined : FAIL[Number(`0x${id.slice(-4)}`) % FAILING]
    this.#receiver.requests = []
    if (fail) {
      this.#failed.add(id)
      return fail(response, request)
    }
    this.#note(id, request)
    response.writeHead(204).end()
  })
  #secret = ''
  #id = ''

  static async start(product: Product) {
    const subscription = new Subscription()
    await subscription.#receiver.start()
    await subscription.#subscribe(product)
    return subscription
  }

  /** Tries again, because a busy machine may refuse a request with 503 without an outage. */
  async #subscribe(product: Product) {
    const { token } = await signIn(product, ADMIN)
    const body = { url: this.#receiver.url, events: ['*'] }
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const answer = await product.ask('/webhooks', { body, token })
      if (answer.status === 201) {
        this.#secret = answer.body.secret
        this.#id = answer.body.id
        return
      }
      await wait(1_000)
    }
    throw new Error('the webhook was not made')
  }

  #note(id: string, { body, headers }: { body: string; headers: object }) {
    try {
      new Webhook(this.#secret).verify(body, headers as Record<string, string>)
    } catch {
      this.violations.add(`the delivery of ${id} is not signed`)
    }
    const { type, data } = JSON.parse(body)
    const times = (this.#receipts.get(id)?.times ?? 0) + 1
    this.#receipts.set(id, { type, sequence: data.sequence, times })
  }

  /** Resolves with everything that is wrong at the end, when all events are sealed. */
  async check(query: Query) {
    const expected = expectedOf(await query(SEALED), this.#id)
    const missing = () => expected.filter(({ id }) => !this.#receipts.has(id))
    const startedAt = Date.now()
    await until(async () => {
      if (Date.now() - startedAt > PATIENCE_MS) await query(DUE_NOW).catch(() => {})
      return missing().length === 0
    }, DELIVERY_MS).catch(() => {})
    const lost = missing().map(({ id, type }) => `${type} ${id} was not delivered`)
    return [...lost, ...(await this.#unknown(query))]
  }

  /** Reads the trail again, because windows of coalesced events have ended and were delivered. */
  async #unknown(query: Query) {
    const deliveries = [...this.#receipts]
    const rows = await query(SEALED)
    const events = new Map(rows.map((row) => [String(row.id), row]))
    return deliveries.flatMap(([id, { type, sequence }]) => {
      const row = events.get(id)
      if (!row) return [`${type} ${id} was delivered and is in no trail`]
      const isSame = type === typeOf(row) && sequence === Number(row.sequence)
      return isSame ? [] : [`${id} was delivered as ${type} ${sequence}`]
    })
  }

  get counts() {
    const told = [...this.#receipts.values()]
    return {
      delivered: told.length,
      repeated: told.filter(({ times }) => times > 1).length,
      failedFirst: this.#failed.size,
    }
  }

  stop() {
    return this.#receiver.stop()
  }
}

const SEALED = 'SELECT id, sequence, action, details FROM audit_events WHERE sequence IS NOT NULL'

/** Makes deliveries due, as an administrator does who retries each. */
const DUE_NOW = `UPDATE webhook_deliveries SET next_attempt_at = 1
  WHERE next_attempt_at > 1 AND attempts > 1 RETURNING id`

function typeOf(row: Record<string, any>) {
  return publicTypeOf({ action: row.action, details: row.details })
}

/** Returns the expected events after the event that made the webhook. */
function expectedOf(rows: Record<string, any>[], webhookId: string) {
  const made = rows.find(
    (row) => row.action === 'webhook.created' && row.details.includes(webhookId)
  )
  const first = Number(made?.sequence ?? 0)
  return rows.flatMap((row) => {
    const type = typeOf(row)
    const isExpected = type !== null && type !== TEST_TYPE && Number(row.sequence) > first
    return isExpected ? [{ id: String(row.id), type }] : []
  })
}
