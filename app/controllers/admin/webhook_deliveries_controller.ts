import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import { actorOf } from '#http/request_source'
import { noFields, submit } from '#pages/forms/forms'
import { redirectWithNotice } from '#pages/redirect'
import { renderWebhook } from '#pages/webhooks/webhook_page'
import { replayWebhook, retryDelivery, testWebhook } from '#webhooks/endpoints'
import { sinceOfForm } from '#pages/webhooks/webhook_form'
import { replayWebhookValidator } from '#validators/webhooks'

export default class WebhookDeliveriesController {
  /** Redirects a GET, because the address of the form has no page of its own. */
  back({ params, response }: HttpContext) {
    return response.redirect().toPath(`/admin/webhooks/${params.id}`)
  }

  async test(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => testWebhook(ctx.params.id, actorOf(ctx)),
      onError: ({ errors }) => renderWebhook(ctx, { problem: errors.form[0] }),
    })
    return outcome.ok ? done(ctx, ctx.i18n.t('webhooks.notice.tested')) : outcome.page
  }

  async replay(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: replayWebhookValidator,
      action: ({ since }) => replayWebhook(ctx.params.id, sinceOfForm(since), actorOf(ctx)),
      onError: (replayForm) => renderWebhook(ctx, { replayForm }),
    })
    if (!outcome.ok) return outcome.page
    const { count } = outcome.result
    const values = { count, most: limits.replayCount, isExact: String(count <= limits.replayCount) }
    return done(ctx, ctx.i18n.t('webhooks.notice.replayed', values))
  }

  async retry(ctx: HttpContext) {
    const { id, deliveryId } = ctx.params
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => retryDelivery(id, deliveryId, actorOf(ctx)),
      onError: ({ errors }) => renderWebhook(ctx, { problem: errors.form[0] }),
    })
    return outcome.ok ? done(ctx, ctx.i18n.t('webhooks.notice.retried')) : outcome.page
  }
}

function done(ctx: HttpContext, notice: string) {
  return redirectWithNotice(ctx, `/admin/webhooks/${ctx.params.id}#deliveries`, notice)
}
