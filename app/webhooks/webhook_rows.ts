import { validate as isUuid } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { lockName } from '#database/named_lock'
import { isUniqueViolation } from '#database/unique_violation'
import { E_NOT_FOUND } from '#exceptions/http_errors'
import { E_WEBHOOK_EXISTS, E_WEBHOOK_LIMIT } from './errors.ts'
import { toWebhook, type Webhook, type WebhookRow } from './webhook.ts'
import type { Transaction } from '#database/transaction'

/* Rows of `webhooks`. The dispatcher writes cursors and failures; `disable_webhook.ts` disables. */

export async function listWebhooks(): Promise<Webhook[]> {
  const rows: WebhookRow[] = await db.from('webhooks').orderBy('name')
  return rows.map(toWebhook)
}

export async function findWebhookRow(id: string, trx?: Transaction): Promise<WebhookRow | null> {
  return isUuid(id) ? (trx ?? db).from('webhooks').where('id', id).first() : null
}

/** @throws E_NOT_FOUND */
export async function getWebhookOrFail(id: string) {
  const row = await findWebhookRow(id)
  if (!row) throw new E_NOT_FOUND()
  return toWebhook(row)
}

/** Looks for the id first, because another webhook may have it as its name. @throws E_NOT_FOUND */
export async function getWebhookByNameOrFail(name: string) {
  const row = (await findWebhookRow(name)) ?? (await db.from('webhooks').where({ name }).first())
  if (!row) throw new E_NOT_FOUND(`No webhook is named ${name}`)
  return toWebhook(row)
}

/** @throws E_NOT_FOUND */
export async function lockWebhookOrFail(id: string, trx: Transaction): Promise<WebhookRow> {
  const query = trx.from('webhooks').where('id', id).forUpdate()
  const row = isUuid(id) ? await query.first() : null
  if (!row) throw new E_NOT_FOUND()
  return row
}

/** Call `lockNewWebhooks` first. @throws E_WEBHOOK_EXISTS, E_WEBHOOK_LIMIT */
export async function insertWebhook(row: Omit<WebhookRow, 'name'>, name: string, trx: Transaction) {
  if ((await countWebhooks(trx)) >= limits.webhooks) throw new E_WEBHOOK_LIMIT()
  const stored: WebhookRow = { ...row, name }
  await unlessTaken(trx.table('webhooks').insert(stored))
  return stored
}

/** Makes concurrent creations wait for one another, so that all stay within the limit. */
export function lockNewWebhooks(trx: Transaction) {
  return lockName('new webhooks', trx)
}

export async function countWebhooks(trx: Transaction) {
  const [{ total }] = await trx.from('webhooks').count('* as total')
  return Number(total)
}

const NAME_LENGTH = 100

/** Returns the host, with a number if taken. Call it before the insert, in its transaction. */
export async function freeName(url: string, trx: Transaction) {
  const rows: { name: string }[] = await trx.from('webhooks').select('name')
  const taken = new Set(rows.map(({ name }) => name))
  const { host } = new URL(url)
  for (let number = 1; ; number++) {
    const ending = number === 1 ? '' : ` ${number}`
    const name = host.slice(0, NAME_LENGTH - ending.length) + ending
    if (!taken.has(name)) return name
  }
}

/** @throws E_WEBHOOK_EXISTS */
export async function updateWebhookRow(id: string, changes: Partial<WebhookRow>, trx: Transaction) {
  await unlessTaken(trx.from('webhooks').where('id', id).update(changes))
}

async function unlessTaken(write: PromiseLike<unknown>) {
  try {
    await write
  } catch (error) {
    throw isUniqueViolation(error) ? new E_WEBHOOK_EXISTS() : error
  }
}
