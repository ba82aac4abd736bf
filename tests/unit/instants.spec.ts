import { test } from '@japa/runner'
import { DateTime } from 'luxon'
import { relativeTime, toUtc } from '#i18n/format'

const at = Date.now() - 180_000

test.group('Instants', () => {
  test('{$i}: every form of a time is understood')
    .with([at, String(at), new Date(at), new Date(at).toISOString(), DateTime.fromMillis(at)])
    .run(({ assert }, instant) => {
      assert.equal(toUtc(instant).toMillis(), at)
      assert.equal(relativeTime('en', instant), '3 minutes ago')
    })
})
