import type { HttpContext } from '@adonisjs/core/http'
import limits from '#config/limits'
import { E_PAYLOAD_TOO_LARGE } from '#exceptions/http_errors'

/** Bounds the input of the parsers of keys and statements. @throws E_PAYLOAD_TOO_LARGE */
export function assertPasskeySize({ request }: HttpContext, field: 'response' | 'passkey') {
  const response = JSON.stringify(request.body()[field] ?? null)
  if (Buffer.byteLength(response) > limits.passkeyResponse) throw new E_PAYLOAD_TOO_LARGE()
}
