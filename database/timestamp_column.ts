import { column } from '@adonisjs/lucid/orm'
import { DateTime } from 'luxon'

/** A column of milliseconds since the epoch, read as a `DateTime` in UTC. */
export function timestamp() {
  return column({
    prepare: (value: DateTime | null | undefined) => value?.toMillis() ?? null,
    consume: (value: number | string | null) =>
      value === null ? null : DateTime.fromMillis(Number(value), { zone: 'utc' }),
  })
}
