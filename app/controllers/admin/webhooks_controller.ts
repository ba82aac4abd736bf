import type { HttpContext } from '@adonisjs/core/http'
import { actorOf } from '#http/request_source'
import { noFields, submit } from '#pages/forms/forms'
import { redirectWithNotice } from '#pages/redirect'
import { changedWebhookFields, newWebhookOf, secretOfForm } from '#pages/webhooks/webhook_form'
import { flashWebhookSecret } from '#pages/webhooks/new_webhook_secret'
import { renderNewWebhook, renderRotation, renderWebhook } from '#pages/webhooks/webhook_page'
import { renderWebhooks } from '#pages/webhooks/webhook_list_page'
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '#webhooks/endpoints'
import { getWebhookOrFail } from '#webhooks/webhook_rows'
import { webhookFormValidator } from '#validators/webhooks'

const FIELDS = { E_WEBHOOK_EXISTS: 'name' }

export default class WebhooksController {
  index(ctx: HttpContext) {
    return renderWebhooks(ctx)
  }

  create(ctx: HttpContext) {
    return renderNewWebhook(ctx)
  }

  async store(ctx: HttpContext) {
    const outcome = await submit(ctx, {
      validator: webhookFormValidator,
      fields: FIELDS,
      action: (values) => createWebhook(newWebhookOf(ctx, values), actorOf(ctx)),
      onError: (form) => renderNewWebhook(ctx, form),
    })
    if (!outcome.ok) return outcome.page
    flashWebhookSecret(ctx, outcome.result)
    return done(ctx, outcome.result.webhook.id, 'created')
  }

  show(ctx: HttpContext) {
    return renderWebhook(ctx)
  }

  async update(ctx: HttpContext) {
    const { id } = await getWebhookOrFail(ctx.params.id)
    const outcome = await submit(ctx, {
      validator: webhookFormValidator,
      fields: FIELDS,
      action: (values) => updateWebhook(id, changedWebhookFields(ctx, values), actorOf(ctx)),
      onError: (form) => renderWebhook(ctx, { form }),
    })
    return outcome.ok ? done(ctx, id, 'updated') : outcome.page
  }

  rotate(ctx: HttpContext) {
    return renderRotation(ctx)
  }

  async rotateSecret(ctx: HttpContext) {
    const { id } = await getWebhookOrFail(ctx.params.id)
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => rotateWebhookSecret(id, actorOf(ctx), secretOfForm(ctx, id)),
      onError: (form) => renderRotation(ctx, form),
    })
    if (!outcome.ok) return outcome.page
    flashWebhookSecret(ctx, outcome.result)
    return done(ctx, id, 'rotated')
  }

  async delete(ctx: HttpContext) {
    const webhook = await getWebhookOrFail(ctx.params.id)
    return ctx.view.render('admin/webhooks/delete', { webhook })
  }

  async destroy(ctx: HttpContext) {
    const { id, name } = await getWebhookOrFail(ctx.params.id)
    const outcome = await submit(ctx, {
      validator: noFields,
      action: () => deleteWebhook(id, actorOf(ctx)),
      onError: ({ errors }) => renderWebhook(ctx, { problem: errors.form[0] }),
    })
    if (!outcome.ok) return outcome.page
    const notice = ctx.i18n.t('webhooks.notice.deleted', { name })
    return redirectWithNotice(ctx, '/admin/webhooks', notice)
  }
}

function done(ctx: HttpContext, id: string, notice: 'created' | 'updated' | 'rotated') {
  return redirectWithNotice(ctx, `/admin/webhooks/${id}`, ctx.i18n.t(`webhooks.notice.${notice}`))
}
