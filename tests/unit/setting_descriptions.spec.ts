import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { otherDescription } from '#settings/values/other_settings'
import { LISTED_NAMES } from '#settings/values/definitions'

test.group('Settings | descriptions', () => {
  test('{$self} describes every setting')
    .with(['de', 'en', 'es', 'fr'])
    .run(({ assert }, language) => {
      const file = join(import.meta.dirname, `../../resources/lang/${language}/settings.json`)
      const messages = JSON.parse(readFileSync(file, 'utf8'))
      for (const name of LISTED_NAMES) {
        const [, group, key] = otherDescription(name)[0].split('.')
        assert.property(messages[group], key, name)
      }
    })
})
