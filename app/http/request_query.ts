import type { HttpContext } from '@adonisjs/core/http'
import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'

/** The validated query string without the body. */
export function queryOf<Schema extends SchemaTypes>(
  { request }: HttpContext,
  validator: VineValidator<Schema, any>
): Promise<Infer<VineValidator<Schema, any>>> {
  return request.validateUsing(validator as any, { data: request.qs() }) as any
}
