import { NotPublicError } from '#network/public_hosts'
import type { DeliveryError } from '#webhooks/deliveries/delivery'

/* Why a delivery did not arrive, in a word that the console explains. */

/** Returns the error that a status means; null for a success. */
export function refusalOf(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null
  if (status === 410) return 'gone'
  return status >= 300 && status < 400 ? 'redirect' : 'status'
}

const REASONS: [RegExp, DeliveryError][] = [
  [/^ENOTFOUND$/, 'not_found'],
  [/^(?:ABORT_ERR|ETIMEDOUT)$/, 'timeout'],
  [/^(?:HPE_|UNEXPECTED_UPGRADE$)/, 'answer'],
  [/CERT|^ERR_TLS|^ERR_SSL|^EPROTO$/, 'certificate'],
]

/** Returns why there was no answer. */
export function errorOf(error: Error & { code?: string | number }): DeliveryError {
  if (error.name === 'TimeoutError') return 'timeout'
  const code = String(error.code ?? '')
  const [, reason] = REASONS.find(([pattern]) => pattern.test(code)) ?? []
  if (reason) return reason
  if (error instanceof NotPublicError) return 'not_allowed'
  return code === '' ? 'internal' : 'unreachable'
}
