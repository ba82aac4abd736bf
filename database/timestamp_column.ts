import { column } from '@adonisjs/lucid/orm'
import { DateTime } from 'luxon'

export function timestamp() {
  return column({
    prepare: (value: DateTime | null | undefined) => value?.toMillis() ?? null,
    consume: (value: number | string | null) =>
      value === null ? null : DateTime.fromMillis(Number(value), { zone: 'utc' }),
  })
}
