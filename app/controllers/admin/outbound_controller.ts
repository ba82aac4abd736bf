import type { HttpContext } from '@adonisjs/core/http'
import { resumeOutbound } from '#backup/outbound_pause'
import { redirectWithNotice } from '#pages/redirect'
import { actorOf } from '#http/request_source'

export default class OutboundController {
  async resume(ctx: HttpContext) {
    const isResumed = await resumeOutbound(actorOf(ctx))
    const notice = ctx.i18n.t(isResumed ? 'outbound.resumed' : 'outbound.was_running')
    return redirectWithNotice(ctx, '/admin', notice)
  }
}
