import type { HttpContext } from '@adonisjs/core/http'
import { findOutboundPause } from '#backup/outbound_pause'
import { listWebhooks } from '#webhooks/webhook_rows'

export async function renderWebhooks(ctx: HttpContext) {
  const [webhooks, pause] = await Promise.all([listWebhooks(), findOutboundPause()])
  return ctx.view.render('admin/webhooks/index', { webhooks, pause })
}
