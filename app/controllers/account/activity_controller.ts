import { validate as isUuid } from 'uuid'
import type { HttpContext } from '@adonisjs/core/http'
import { listActivity } from '#audit/trail/user_activity'
import { eventLines } from '#transformers/admin/event_line'
import { accountBase, renderAccountPage } from '#pages/account/account_page'

const PAGE_SIZE = 25

export default class ActivityController {
  async index(ctx: HttpContext) {
    const { user } = ctx.auth.use('web').getUserOrFail()
    const { after } = ctx.request.qs()
    const cursor = isUuid(after) ? String(after) : undefined
    const { events, nextCursor } = await listActivity(user.id, {
      page: 1,
      limit: PAGE_SIZE,
      cursor,
    })
    const next = nextCursor && `${accountBase(ctx)}/activity?after=${nextCursor}`
    const lines = await eventLines(ctx.i18n, events)
    return renderAccountPage(ctx, 'activity', { lines, next, isFirst: !cursor })
  }
}
