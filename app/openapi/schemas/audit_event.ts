import type { AuditRecord } from '#audit/trail/audit_record'
import { EVENT_ID, SESSION_ID, USER_ID } from '../examples.ts'
import { record, type Schema } from '../schema.ts'
import { instant, text, textOrNull, uuid } from './fields.ts'

/** The details of `login.succeeded`, the event of the examples. */
export const details: Schema = {
  type: 'object',
  description:
    'What changed. After the first, repeated refusals with the same cause are one event with their `count`.',
  additionalProperties: true,
  example: {
    sessionId: SESSION_ID,
    deviceName: 'Chrome on Linux',
    method: 'password',
    mfa: false,
  },
}

export const auditEvent = record<AuditRecord>({
  id: { ...uuid, description: 'UUID v7.', example: EVENT_ID },
  occurredAt: instant,
  action: { ...text, example: 'login.succeeded' },
  outcome: { type: 'string', enum: ['success', 'failure'] },
  actor: {
    ...text,
    description:
      '`user:<id>`, `key:<id>` of an API key, `client:<client id>` of an application, `cli:<os user>`, `system` or `anonymous`.',
    example: `user:${USER_ID}`,
  },
  actorId: { ...textOrNull, example: USER_ID },
  targetId: { ...textOrNull, example: USER_ID },
  ip: textOrNull,
  userAgent: textOrNull,
  details,
})
