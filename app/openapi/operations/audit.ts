import { activityValidator, auditFilterValidator } from '#validators/users'
import { listOf, record, ref } from '../schema.ts'
import { count, uuid } from '../schemas/fields.ts'
import type { Operations } from '../operation.ts'

const pageOf = (total: object) => ({
  description: 'A page of events, the newest first',
  schema: record({
    data: listOf(ref('AuditEvent')),
    meta: record({
      total: { ...count, ...total },
      page: { ...count, minimum: 1 },
      limit: count,
      nextCursor: { ...uuid, nullable: true, description: 'For the page after this one.' },
    }),
  }),
})

export const activityOperations: Operations = {
  'GET /auth/activity': {
    summary: 'List what concerns the account of the caller',
    description:
      'By `page`, 10,000 entries deep, or by `cursor` to the end. `total` counts to 1,001.',
    query: activityValidator,
    answers: { 200: pageOf({ maximum: 1_001 }) },
  },
}

export const auditOperations: Operations = {
  'GET /audit-events': {
    summary: 'List the audit log',
    description:
      'For administrators. Events are only ever added, and each is chained to the one before: `node ace audit:verify` proves it. By `page`, 10,000 entries deep, or by `cursor` to the end. With a filter, `total` counts to 1,001.',
    query: auditFilterValidator,
    answers: { 200: pageOf({}) },
  },
}
