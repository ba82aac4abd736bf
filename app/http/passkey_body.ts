import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import { E_PAYLOAD_TOO_LARGE } from '#exceptions/http_errors'

/**
 * Refuses a response of an authenticator that is larger than any real one, before it is read:
 * keys and statements are parsed from it.
 *
 * @throws E_PAYLOAD_TOO_LARGE
 */
export function assertPasskeySize({ request }: HttpContext, field: 'response' | 'passkey') {
  const response = JSON.stringify(request.body()[field] ?? null)
  if (Buffer.byteLength(response) > limits.passkeyResponse) throw new E_PAYLOAD_TOO_LARGE()
}
