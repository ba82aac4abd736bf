import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { apiDocument } from '#openapi/document'
import { webhookEvents, schemaNameOf } from '#openapi/schemas/webhook_event'
import { toEvent } from '#audit/event_row'
import { composeData } from '#webhooks/types/compose_data'
import { publicTypeOf } from '#webhooks/types/public_types'
import { closed } from './contract.ts'

const ajv = new Ajv({ strict: false })
addFormats.default(ajv)

const MOST_BYTES = 20_000

/** What is wrong with the body that receivers get of an event; null for a private event. */
export async function findWebhookFault(row: object): Promise<string | null> {
  const event = { ...toEvent(row), sequence: 1 }
  const type = publicTypeOf(event)
  if (!type) return null
  const timestamp = new Date(event.occurred_at).toISOString()
  const body = JSON.stringify({ type, timestamp, data: await composeData(event) })
  const validate = ajv.compile(closed(webhookEvents[schemaNameOf(type)], await apiDocument()))
  if (Buffer.byteLength(body) > MOST_BYTES) return `${type} has ${body.length} characters`
  return validate(JSON.parse(body)) ? null : `${body}: ${ajv.errorsText(validate.errors)}`
}
