import type { HttpContext } from '@adonisjs/core/http'
import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'
import type { Validate } from './validate.ts'

export function queryOf<Schema extends SchemaTypes>(
  { request }: HttpContext,
  validator: VineValidator<Schema, any>
): Promise<Infer<VineValidator<Schema, any>>> {
  const validate = request.validateUsing as Validate<Schema>
  return validate.call(request, validator, { data: request.qs() })
}
