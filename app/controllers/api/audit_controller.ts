import type { HttpContext } from '@adonisjs/core/http'
import { listAuditEvents } from '#audit/trail/query'
import { listActivity } from '#audit/trail/user_activity'
import { activityValidator, auditFilterValidator } from '#validators/users'
import { queryOf } from '#http/request_body'

/** Administrators see all events, users the events that concern them. */
export default class AuditController {
  async index(ctx: HttpContext) {
    const given = await queryOf(ctx, auditFilterValidator)
    const { page = 1, limit = 10, cursor, ...filter } = given
    const { events, ...counts } = await listAuditEvents(filter, { page, limit, cursor })
    return { data: events, meta: { page, limit, ...counts } }
  }

  async activity(ctx: HttpContext) {
    const { page = 1, limit = 10, cursor } = await queryOf(ctx, activityValidator)
    const { user } = ctx.auth.use('api').getUserOrFail()
    const { events, ...counts } = await listActivity(user.id, { page, limit, cursor })
    return { data: events, meta: { page, limit, ...counts } }
  }
}
