import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { SETTING_NAMES } from '#settings/values/definitions'

test.group('Settings | descriptions', () => {
  test('{$self} describes every setting')
    .with(['de', 'en', 'es', 'fr'])
    .run(({ assert }, language) => {
      const file = join(import.meta.dirname, `../../resources/lang/${language}/settings.json`)
      const { about } = JSON.parse(readFileSync(file, 'utf8'))
      assert.includeMembers(Object.keys(about), SETTING_NAMES)
    })
})
