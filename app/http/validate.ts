import type { VineValidator } from '@vinejs/vine'
import type { Infer, SchemaTypes } from '@vinejs/vine/types'

export type Validate<Schema extends SchemaTypes> = (
  validator: VineValidator<Schema, any>,
  options: { data: unknown }
) => Promise<Infer<VineValidator<Schema, any>>>
