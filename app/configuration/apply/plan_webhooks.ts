import { errorAt, type Entry } from '#configuration/document/entries'
import { canonicalAddress } from '#webhooks/address'
import {
  createWebhookWithin,
  rotateWebhookSecretWithin,
  updateWebhookWithin,
} from '#webhooks/endpoints'
import { decryptSecrets } from '#webhooks/secrets'
import { toWebhook, type WebhookRow } from '#webhooks/webhook'
import { entriesOf, type Situation } from './situation.ts'
import { refusalError, type Step } from './step.ts'
import type { Transaction } from '#database/transaction'

type WebhookEntry = Entry<'webhooks'>

export function planWebhooks(situation: Situation): Step[] {
  return entriesOf(situation, 'webhooks').map((entry) => planWebhook(entry, situation))
}

const FIELDS = ['name', 'url', 'events', 'description', 'enabled'] as const

function planWebhook(entry: WebhookEntry, situation: Situation): Step {
  const { secret, ...given } = entry.value
  const row = situation.webhooks.get(given.name)
  const url = addressOf(entry, situation, row?.url)
  if (!row) return newWebhook(entry, situation)
  const before = toWebhook(row)
  const after = { ...before, ...given, ...(url && { url }) }
  const changed: string[] = FIELDS.filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name])
  )
  if (!hasSecretOf(row, secret)) changed.push('secret')
  const run: Step['run'] = (trx) => changeWithin(row, { entry, situation }, trx)
  return { entry, kind: 'webhook', id: row.id, fields: changed, run }
}

/** Does not check a stored address, because it may be forbidden by now. */
function addressOf(entry: WebhookEntry, { errors }: Situation, stored?: string) {
  const { url } = entry.value
  try {
    return url === undefined || url === stored ? url : canonicalAddress(url)
  } catch (error) {
    errors.push(refusalError(entry, error))
    return undefined
  }
}

function hasSecretOf(row: WebhookRow, secret?: string) {
  return secret === undefined || decryptSecrets(row, false).includes(secret)
}

function newWebhook(entry: WebhookEntry, { actor, errors }: Situation): Step {
  const { url, events, secret, ...others } = entry.value
  for (const field of ['url', 'events'] as const)
    if (entry.value[field] === undefined)
      errors.push(errorAt(entry, field, `A new webhook needs the field ${field}`))
  const run: Step['run'] = async (trx) => {
    const given = { ...others, url: url!, events: events!, ...(secret && { secret }) }
    const { webhook } = await createWebhookWithin(given, actor, trx)
    return webhook.id
  }
  return { entry, kind: 'webhook', id: null, fields: entry.named, run }
}

async function changeWithin(
  { id }: WebhookRow,
  { entry, situation }: { entry: WebhookEntry; situation: Situation },
  trx: Transaction
) {
  const { actor, managedFields } = situation
  const { secret, ...changes } = entry.value
  await updateWebhookWithin({ id, changes, actor }, trx)
  /** A secret that no file gave was shown where the webhook was made, so it ends immediately. */
  const isOfFile = managedFields.get(id)?.includes('secret') ?? false
  const rotation = { id, actor, given: secret, endsCurrent: !isOfFile }
  if (secret !== undefined) await rotateWebhookSecretWithin(rotation, trx)
  return id
}
