import limits from '#config/limits'
import { invalidField } from '#exceptions/http_errors'
import { refusal } from '#exceptions/refusal'

export const E_WEBHOOK_EXISTS = refusal(409, 'E_WEBHOOK_EXISTS', 'A webhook has this name already')
export const E_WEBHOOK_LIMIT = refusal(
  409,
  'E_WEBHOOK_LIMIT',
  `There can be ${limits.webhooks} webhooks`
)
export const E_WEBHOOK_DISABLED = refusal(
  409,
  'E_WEBHOOK_DISABLED',
  'The webhook is disabled: enable it first'
)

export function forbiddenAddress() {
  const message =
    'The url field must be an https address on the internet, or one that OUTBOUND_ALLOWED_NETWORKS allows'
  return invalidField('url', 'address', message)
}

export function unknownSince() {
  const message =
    'The since field must be a time or the id of an event that the audit log still has'
  return invalidField('since', 'since', message)
}
