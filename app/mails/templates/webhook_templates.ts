import type { RecordedEvent } from '#events/record'
import type { Template } from './template.ts'

type Name = 'webhook_created' | 'webhook_redirected' | 'webhook_disabled' | 'webhooks_stalled'

export const WEBHOOK_TEMPLATES: { [Kind in Name]: Template<Kind> } = {
  webhook_created: { sentOn: { 'webhook.created': toAdministrators } },
  webhook_redirected: { sentOn: { 'webhook.updated': toAdministrators } },
  webhook_disabled: {
    sentOn: {
      'webhook.disabled': (event) =>
        toAdministrators(event).map(({ contents, ...to }) => ({
          ...to,
          contents: { ...contents, reason: event.details.reason },
        })),
    },
  },
  webhooks_stalled: { sentOn: {} },
}

type WebhookEvent = RecordedEvent<'webhook.created' | 'webhook.updated' | 'webhook.disabled'>

function toAdministrators({ details, context }: WebhookEvent) {
  const contents = { webhookName: details.webhook, host: details.host }
  return context.recipients.map(({ id, email }) => ({ userId: id, recipient: email, contents }))
}
