import { createHmac } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import type { I18n } from '@adonisjs/i18n'
import { filledForm, seedOfForm } from '#pages/forms/form_token'
import { shownFields } from '#pages/forms/shown_fields'
import { PUBLIC_TYPES, TEST_TYPE } from '#webhooks/types/public_types'
import { newWebhookSecret } from '#webhooks/signature'
import { parseSince } from '#webhooks/replay'
import type { Form } from '#pages/forms/forms'
import type { NewWebhook, WebhookFields } from '#webhooks/endpoints'
import type { Webhook } from '#webhooks/webhook'

interface WebhookFormValues {
  url: string
  events?: string[] | null
  name?: string | null
  description?: string | null
  enabled?: boolean
}

/** Keeps id and secret if the form is sent twice: the browser shows only the second answer. */
export function newWebhookOf(ctx: HttpContext, { name, ...values }: WebhookFormValues): NewWebhook {
  const given = { ...fieldsOf(values), ...(name && { name }) }
  const form = filledForm(ctx, given)
  return form ? { ...given, id: form.id, secret: secretFrom(form.seed, form.id) } : given
}

/** @returns undefined without a token or after its lifetime */
export function secretOfForm(ctx: HttpContext, webhookId: string) {
  const seed = seedOfForm(ctx)
  return seed && secretFrom(seed, webhookId)
}

/** Each webhook has its own secret: the receiver of one must not sign for another. */
function secretFrom(seed: string, webhookId: string) {
  const digest = createHmac('sha256', seed).update(`webhook secret ${webhookId}`).digest()
  return newWebhookSecret(digest)
}

function fieldsOf({ url, events, description, enabled }: WebhookFormValues) {
  return {
    url,
    events: events ?? [],
    description: description ?? null,
    enabled: enabled ?? false,
  }
}

/** An outdated page must not undo what another administrator has changed since. */
export function changedWebhookFields(ctx: HttpContext, values: WebhookFormValues) {
  const { name } = values
  const shown = shownFields(ctx.request.body().shown)
  const given = { ...fieldsOf(values), ...(name && { name }) }
  const pairs = Object.entries(given).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(shown[field])
  )
  return Object.fromEntries(pairs) as Partial<WebhookFields>
}

export function inputOfWebhook({ name, url, events, description, enabled }: Webhook) {
  return { name, url, events, description, enabled }
}

/** A day, or a time without a zone, is read as UTC. */
export function sinceOfForm(text: string) {
  const [, day, time = '00:00', zone = 'Z'] = TIME.exec(text.trim()) ?? []
  return parseSince(day ? `${day}T${time}${zone}` : text.trim())
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?(Z|[+-]\d\d:\d\d)?$/

/** Groups the event types by their subject, for the boxes of the form. */
export function eventGroups(i18n: I18n, { input }: Form) {
  const chosen = new Set([input.events ?? []].flat())
  const optionOf = (value: string, text: string) => ({ value, text, isChosen: chosen.has(value) })
  return Map.groupBy(
    PUBLIC_TYPES.filter((type) => type !== TEST_TYPE),
    (type) => type.split('.')[0]
  )
    .entries()
    .map(([subject, types]) => {
      const all = optionOf(`${subject}.*`, i18n.t('webhooks.all_of'))
      const each = types.map((type) => optionOf(type, i18n.t(`webhooks.types.${type}`)))
      const options = [all, ...each]
      const title = i18n.t(`webhooks.subjects.${subject}`)
      return { title, options, chosen: options.filter(({ isChosen }) => isChosen).length }
    })
    .toArray()
}
