import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import { linkNext } from '#http/link_next'
import { queryOf } from '#http/request_body'
import { actorOf } from '#http/request_source'
import { toDeliveryRecord } from '#webhooks/deliveries/delivery'
import { listDeliveries, retryDelivery } from '#webhooks/endpoints'
import { listDeliveriesValidator } from '#validators/webhooks'

export default class WebhookDeliveriesController {
  async index(ctx: HttpContext) {
    const {
      cursor,
      limit = limits.deliveryPage,
      status,
    } = await queryOf(ctx, listDeliveriesValidator)
    const page = { cursor, limit, status }
    const { deliveries, next } = await listDeliveries(ctx.params.id, page)
    if (next) linkNext(ctx, { cursor: next, limit: String(limit), ...(status && { status }) })
    return deliveries.map(toDeliveryRecord)
  }

  async retry(ctx: HttpContext) {
    await retryDelivery(ctx.params.id, ctx.params.deliveryId, actorOf(ctx))
    return ctx.response.accepted({ message: 'Retry queued' })
  }
}
