import { auditFilterValidator, pageValidator } from '#validators/users'
import { ref } from '../schema.ts'
import { pageOf } from '../schemas/fields.ts'
import type { Operations } from '../operation.ts'

const events = {
  description: 'A page of events, the newest first',
  schema: pageOf(ref('AuditEvent')),
}

/** The events of the audit trail about the caller. */
export const activityOperations: Operations = {
  'GET /auth/activity': {
    summary: 'List what concerns the account of the caller',
    query: pageValidator,
    answers: { 200: events },
  },
}

/** The audit trail. */
export const auditOperations: Operations = {
  'GET /audit-events': {
    summary: 'List the audit trail',
    description:
      'For administrators. Events are only ever added, and each is chained to the one before: `node ace audit:verify` proves it.',
    query: auditFilterValidator,
    answers: { 200: events },
  },
}
