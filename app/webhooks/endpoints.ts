import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { mailedAdministrators } from '#auth/administrators'
import { assertMay } from '#auth/callers/permissions'
import { assertActive } from '#auth/lock_for_change'
import { assertNotManaged, forgetManaged } from '#configuration/managed'
import { record } from '#events/record'
import { canonicalAddress } from './address.ts'
import { lockForActor } from './change_webhook.ts'
import { deleteDeliveries } from './deliveries/delete_deliveries.ts'
import { failPending } from './deliveries/delivery_rows.ts'
import { encryptSecret, isSecret } from './secrets.ts'
import { newWebhookSecret } from './signature.ts'
import { throttleWebhookChanges } from './throttle.ts'
import { detailsOf, toWebhook, type Webhook, type WebhookRow } from './webhook.ts'
import type { WebhookWithSecret } from './rotate_secret.ts'
import {
  findWebhookRow,
  freeName,
  insertWebhook,
  lockNewWebhooks,
  lockWebhookOrFail,
  updateWebhookRow,
} from './webhook_rows.ts'
import type { Actor } from '#audit/actor'
import type { Transaction } from '#database/transaction'

export { findDeliveryOf, listDeliveries } from './deliveries/list_deliveries.ts'
export { rotateWebhookSecret, rotateWebhookSecretWithin } from './rotate_secret.ts'
export { retryDelivery } from './deliveries/retry_delivery.ts'
export { replayWebhook } from './replay.ts'
export { testWebhook } from './test_delivery.ts'

/* The API, the console, commands and configuration files all call these functions. */

export interface WebhookFields {
  name: string
  url: string
  /** Filters of `types/filters.ts`. */
  events: string[]
  description: string | null
  enabled: boolean
}

/** The name defaults to the host. Files give a secret; forms, which may come twice, also an id. */
export type NewWebhook = Pick<WebhookFields, 'url' | 'events'> &
  Partial<WebhookFields> & { id?: string; secret?: string }

/**
 * @returns the secret, shown only here; null if a form is sent again after a rotation
 * @throws E_WEBHOOK_EXISTS, E_WEBHOOK_LIMIT, E_TOO_MANY_REQUESTS, a validation error, and what `assertMay` throws
 */
export async function createWebhook(given: NewWebhook, actor: Actor): Promise<WebhookWithSecret> {
  await throttleWebhookChanges(actor)
  return db.transaction((trx) => createWebhookWithin(given, actor, trx))
}

export async function createWebhookWithin(
  given: NewWebhook,
  actor: Actor,
  trx: Transaction
): Promise<WebhookWithSecret> {
  assertMay('webhook.address', actor)
  const url = canonicalAddress(given.url)
  const secret = given.secret ?? newWebhookSecret()
  await assertActive(actor, trx)
  await lockNewWebhooks(trx)
  const made = given.id ? await findWebhookRow(given.id, trx) : null
  if (made) return madeBefore(made, secret)
  const name = given.name ?? (await freeName(url, trx))
  const row = await insertWebhook(newRow({ ...given, url, secret }), name, trx)
  const context = { recipients: await mailedAdministrators(trx) }
  const event = { type: 'webhook.created' as const, user: null, actor, context }
  const startsWith = await record(trx, { ...event, details: detailsOf(row) })
  if (row.disabled_at === null) await startWith(row.id, startsWith, trx)
  return { webhook: toWebhook(row), secret }
}

/** A form that is sent again after a rotation shows no secret. */
function madeBefore(row: WebhookRow, secret: string): WebhookWithSecret {
  return { webhook: toWebhook(row), secret: isSecret(row.id, row.secret, secret) ? secret : null }
}

function newRow(given: NewWebhook & { secret: string }): Omit<WebhookRow, 'name'> {
  const [id, now] = [given.id ?? uuidv7(), Date.now()]
  return {
    id,
    url: given.url,
    events: JSON.stringify(given.events),
    description: given.description ?? null,
    secret: encryptSecret(id, given.secret),
    previous_secret: null,
    previous_secret_until: null,
    disabled_at: given.enabled === false ? now : null,
    disabled_reason: null,
    starts_with: null,
    cut_sequence: null,
    cut_at: null,
    first_failure_at: null,
    created_at: now,
    updated_at: now,
  }
}

/** Starts with the next event: events that were sealed earlier have a lower sequence. */
function startWith(id: string, eventId: string | null, trx: Transaction) {
  return updateWebhookRow(id, { starts_with: eventId }, trx)
}

interface ChangeOf<Given> {
  id: string
  changes: Given
  actor: Actor
}

/**
 * @throws E_NOT_FOUND, E_MANAGED, E_WEBHOOK_EXISTS, E_TOO_MANY_REQUESTS, a validation error, and what
 * `assertMay` throws
 */
export async function updateWebhook(id: string, changes: Partial<WebhookFields>, actor: Actor) {
  if (changes.url !== undefined || changes.enabled) await throttleWebhookChanges(actor)
  return db.transaction((trx) => updateWebhookWithin({ id, changes, actor }, trx))
}

export async function updateWebhookWithin(
  { id, changes, actor }: ChangeOf<Partial<WebhookFields>>,
  trx: Transaction
) {
  assertMay('webhook.settings', actor)
  const before = toWebhook(await lockForActor(id, actor, trx))
  const after = { ...before, ...withoutUndefined(changes) }
  /** An unchanged address is not checked, because it may be forbidden by now. */
  if (after.url !== before.url) after.url = canonicalAddress(after.url)
  const fields = FIELDS.filter((field) => !isSame(before[field], after[field]))
  if (fields.length === 0) return before
  const isRedirected = fields.includes('url')
  if (isRedirected) assertMay('webhook.address', actor)
  await assertNotManaged({ kind: 'webhook', id }, heldFields(fields, after), trx)
  const health = isRedirected ? { first_failure_at: null } : {}
  await updateWebhookRow(id, { ...toColumns(after), ...health, updated_at: Date.now() }, trx)
  const details = { ...detailsOf(after), ...changesOf(before, after, fields) }
  const context = { recipients: isRedirected ? await mailedAdministrators(trx) : [] }
  const event = { type: 'webhook.updated' as const, user: null, actor, details, context }
  const eventId = await record(trx, event)
  if (fields.includes('enabled')) await switchTo(after, eventId, trx)
  return toWebhook(await lockWebhookOrFail(id, trx))
}

/** A configuration file never prevents the disabling of a webhook. */
function heldFields(fields: Field[], { enabled }: Webhook) {
  return fields.filter((field) => field !== 'enabled' || enabled)
}

const FIELDS = ['name', 'url', 'events', 'description', 'enabled'] as const
type Field = (typeof FIELDS)[number]

function withoutUndefined<T extends object>(values: T): Partial<T> {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(pairs) as Partial<T>
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

function toColumns({ name, url, events, description }: WebhookFields) {
  return { name, url, events: JSON.stringify(events), description }
}

/** A path may contain a secret, so only the host of an address is recorded. */
function changesOf(before: Webhook, after: Webhook, fields: Field[]) {
  const shown = ({ url, events, ...others }: Webhook) => ({
    ...others,
    url: new URL(url).host,
    events: events.join(' '),
  })
  const [old, renewed] = [shown(before), shown(after)]
  const pairs = fields.map((field) => [field, { before: old[field], after: renewed[field] }])
  return Object.fromEntries(pairs)
}

/** Events that happen while a webhook is disabled are not sent. */
async function switchTo({ id, enabled }: Webhook, eventId: string | null, trx: Transaction) {
  const columns = { disabled_reason: null, first_failure_at: null, cut_sequence: null }
  const state = enabled
    ? { disabled_at: null, starts_with: eventId }
    : { disabled_at: Date.now(), starts_with: null }
  if (enabled) await failPending(id, trx)
  await updateWebhookRow(id, { ...columns, ...state }, trx)
  if (!enabled) trx.after('commit', () => failPendingSafely(id))
}

/** The next pruning fails the deliveries that are left. */
async function failPendingSafely(id: string) {
  try {
    await failPending(id)
  } catch (error) {
    logger.warn({ err: error, webhookId: id }, 'some deliveries of a disabled webhook are pending')
  }
}

/** Deletes deliveries in batches. @throws E_NOT_FOUND, E_MANAGED, and what `assertMay` throws */
export async function deleteWebhook(id: string, actor: Actor) {
  const deleted = await db.transaction((trx) => deleteWebhookWithin(id, actor, trx))
  await deleteDeliveries(id)
  return deleted
}

/** The caller deletes the deliveries after the commit. */
export async function deleteWebhookWithin(id: string, actor: Actor, trx: Transaction) {
  assertMay('webhook.settings', actor)
  const row = await lockForActor(id, actor, trx)
  await forgetManaged({ kind: 'webhook', id }, trx)
  await trx.from('webhooks').where('id', id).delete()
  await record(trx, { type: 'webhook.deleted', user: null, actor, details: detailsOf(row) })
  return toWebhook(row)
}
