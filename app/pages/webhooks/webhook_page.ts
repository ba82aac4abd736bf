import { validate as isUuid } from 'uuid'
import type { HttpContext } from '@adonisjs/core/http'
import { findManaged } from '#configuration/managed'
import { findOutboundPause } from '#backup/outbound_pause'
import { issueFormToken } from '#pages/forms/form_token'
import { EMPTY_FORM, type Form } from '#pages/forms/forms'
import { DELIVERY_STATUSES } from '#webhooks/deliveries/delivery'
import { listDeliveries } from '#webhooks/endpoints'
import { getWebhookOrFail } from '#webhooks/webhook_rows'
import type { Webhook } from '#webhooks/webhook'
import { getFlashedWebhookSecret } from './new_webhook_secret.ts'
import { eventGroups, inputOfWebhook } from './webhook_form.ts'

const PAGE_SIZE = 30

interface WebhookPage {
  /** The form of the settings, with errors. */
  form?: Form
  replayForm?: Form
  problem?: string
}

export function renderNewWebhook(ctx: HttpContext, form?: Form) {
  const shown = form ?? { input: { enabled: 'true' }, errors: {} }
  return ctx.view.render('admin/webhooks/create', {
    form: shown,
    groups: eventGroups(ctx.i18n, shown),
    formToken: issueFormToken(ctx),
  })
}

export async function renderWebhook(ctx: HttpContext, page: WebhookPage = {}) {
  const webhook = await getWebhookOrFail(ctx.params.id)
  const input = inputOfWebhook(webhook)
  const managed = await lockedBy(webhook)
  const form = { ...(page.form ?? { input, errors: {} }), managed }
  return ctx.view.render('admin/webhooks/show', {
    webhook,
    form,
    groups: eventGroups(ctx.i18n, form),
    /** A form with errors keeps the values that its page showed at first. */
    shown: page.form?.input.shown ?? JSON.stringify(input),
    replayForm: page.replayForm ?? EMPTY_FORM,
    secret: getFlashedWebhookSecret(ctx, webhook.id),
    problem: page.problem ?? null,
    pause: await findOutboundPause(),
    ...(await deliveriesOf(ctx, webhook)),
  })
}

/** A file never prevents an administrator from disabling a webhook. */
async function lockedBy({ id, enabled }: Webhook) {
  const managed = await findManaged({ kind: 'webhook', id })
  if (!managed || !enabled) return managed
  return { ...managed, fields: managed.fields.filter((field) => field !== 'enabled') }
}

async function deliveriesOf({ request }: HttpContext, { id }: Webhook) {
  const { after, status: given } = request.qs()
  const status = DELIVERY_STATUSES.find((known) => known === given)
  const cursor = isUuid(after) ? after : undefined
  const { deliveries, next } = await listDeliveries(id, { cursor, status, limit: PAGE_SIZE })
  const pathOf = (parameters: Record<string, string>) =>
    `/admin/webhooks/${id}?${new URLSearchParams({ ...(status && { status }), ...parameters })}#deliveries`
  return {
    deliveries,
    lastError: deliveries.find(({ error }) => error !== null)?.error ?? null,
    filterForm: { input: { status }, errors: {} },
    first: cursor && pathOf({}),
    next: next && pathOf({ after: next }),
  }
}

export async function renderRotation(ctx: HttpContext, form: Form = EMPTY_FORM) {
  return ctx.view.render('admin/webhooks/rotate', {
    webhook: await getWebhookOrFail(ctx.params.id),
    form,
    formToken: issueFormToken(ctx),
  })
}
