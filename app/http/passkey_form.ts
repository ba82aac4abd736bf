import type { HttpContext } from '@adonisjs/core/http'
import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'
import { E_PASSKEY_INVALID } from '#auth/errors'
import limits from '#config/limits'
import { E_PAYLOAD_TOO_LARGE } from '#exceptions/http_errors'

/** The script of the page writes the response as JSON. @throws E_PASSKEY_INVALID, E_PAYLOAD_TOO_LARGE */
export async function passkeyOfForm<Schema extends SchemaTypes>(
  { request }: HttpContext,
  validator: VineValidator<Schema, any>
): Promise<Infer<VineValidator<Schema, any>>> {
  const { response } = request.body()
  assertSize(String(response))
  const [invalid, value] = await validator.tryValidate({ response: parse(response) })
  if (invalid) throw new E_PASSKEY_INVALID()
  return value as Infer<VineValidator<Schema, any>>
}

function parse(text: unknown) {
  try {
    return JSON.parse(String(text))
  } catch {
    return null
  }
}

/** Bounds the input of the parsers of keys and statements. @throws E_PAYLOAD_TOO_LARGE */
export function assertPasskeySize({ request }: HttpContext, field: 'response' | 'passkey') {
  assertSize(JSON.stringify(request.body()[field] ?? null))
}

function assertSize(response: string) {
  if (Buffer.byteLength(response) > limits.passkeyResponse) throw new E_PAYLOAD_TOO_LARGE()
}
