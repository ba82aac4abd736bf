import type { HttpContext } from '@adonisjs/core/http'
import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'
import { METADATA_FIELDS } from '#models/metadata'

type Validate<Schema extends SchemaTypes> = (
  validator: VineValidator<Schema, any>,
  options: { data: unknown }
) => Promise<Infer<VineValidator<Schema, any>>>

/** Ignores the query string: proxies log it, so a password must not be accepted there. */
export function bodyOf<Schema extends SchemaTypes>(
  { request }: HttpContext,
  validator: VineValidator<Schema, any>
) {
  return validated(request, validator, request.body())
}

function validated<Schema extends SchemaTypes>(
  request: HttpContext['request'],
  validator: VineValidator<Schema, any>,
  data: unknown
) {
  const validate = request.validateUsing as Validate<Schema>
  return validate.call(request, validator, { data })
}

/** Returns raw metadata: the parser drops prototype keys, to be refused, and the validator null. */
export async function bodyWithMetadata<Schema extends SchemaTypes>(
  ctx: HttpContext,
  validator: VineValidator<Schema, any>
) {
  const body = await bodyOf(ctx, validator)
  const parsed = ctx.request.body()
  const sent = METADATA_FIELDS.filter((field) => field in parsed)
  if (sent.length === 0) return body
  const raw = ctx.request.is(['json']) ? JSON.parse(ctx.request.raw()!) : parsed
  return { ...body, ...Object.fromEntries(sent.map((field) => [field, raw[field]])) }
}

export function queryOf<Schema extends SchemaTypes>(
  { request }: HttpContext,
  validator: VineValidator<Schema, any>
) {
  return validated(request, validator, request.qs())
}
