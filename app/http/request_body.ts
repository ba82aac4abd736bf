import type { HttpContext } from '@adonisjs/core/http'
import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'

/**
 * The validated body, and nothing but the body: the framework's default would also take
 * the query string, where a password ends up in every log on the way.
 */
export function bodyOf<Schema extends SchemaTypes>(
  { request }: HttpContext,
  validator: VineValidator<Schema, any>
): Promise<Infer<VineValidator<Schema, any>>> {
  return request.validateUsing(validator as any, { data: request.body() }) as any
}
