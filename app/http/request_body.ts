import type { HttpContext } from '@adonisjs/core/http'
import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'

/**
 * The validated body without the query string, which the framework's default includes:
 * proxies log query strings, and a password must not be accepted there.
 */
export function bodyOf<Schema extends SchemaTypes>(
  { request }: HttpContext,
  validator: VineValidator<Schema, any>
): Promise<Infer<VineValidator<Schema, any>>> {
  return request.validateUsing(validator as any, { data: request.body() }) as any
}
