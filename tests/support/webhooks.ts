import db from '@adonisjs/lucid/services/db'
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

/** Returns what is wrong with the body that receivers get for an event; null for a private one. */
export async function findWebhookError(row: object): Promise<string | null> {
  const told = await toldOf(row)
  if (!told) return null
  const { type } = told
  const body = JSON.stringify({ ...told, timestamp: new Date().toISOString() })
  const validate = ajv.compile(closed(webhookEvents[schemaNameOf(type)], await apiDocument()))
  if (Buffer.byteLength(body) > MOST_BYTES) return `${type} has ${body.length} characters`
  return validate(JSON.parse(body)) ? null : `${body}: ${ajv.errorsText(validate.errors)}`
}

/** Returns the types of events that tell receivers of the end of a session. */
export async function eventsThatEnd(sessionId: string) {
  const rows = await db.from('audit_events').whereLike('details', `%${sessionId}%`).orderBy('id')
  const told = await Promise.all(rows.map((row) => toldOf(row)))
  return told.flatMap((body) => {
    const ends = body?.data.sessionIds?.includes(sessionId)
    return ends && body?.data.session?.id !== sessionId ? [body!.type] : []
  })
}

/** Returns the type and data that receivers get for an event; null for a private one. */
export async function toldOf(row: object) {
  const event = { ...toEvent(row), sequence: 1 }
  const type = publicTypeOf(event)
  return type && { type, data: await composeData(event) }
}
