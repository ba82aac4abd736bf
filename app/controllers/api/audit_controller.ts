import type { HttpContext } from '@adonisjs/core/http'
import { listAuditEvents } from '#audit/query'
import { asSeenBy } from '#audit/record'
import { auditFilterValidator, pageValidator } from '#validators/users'
import { queryOf } from '#http/request_query'

/** The audit trail: all events for administrators, for users those that concern them. */
export default class AuditController {
  async index(ctx: HttpContext) {
    const { page = 1, limit = 10, ...filter } = await queryOf(ctx, auditFilterValidator)
    const { events, total } = await listAuditEvents(filter, { page, limit })
    return { data: events, meta: { total, page, limit } }
  }

  async activity(ctx: HttpContext) {
    const { page = 1, limit = 10 } = await queryOf(ctx, pageValidator)
    const { user } = ctx.auth.use('api').getUserOrFail()
    const { events, total } = await listAuditEvents({ about: user.id }, { page, limit })
    const seen = events.map((event) => asSeenBy(user.id, event))
    return { data: seen, meta: { total, page, limit } }
  }
}
