import { test } from '@japa/runner'
import { formatValue } from '../../commands/_table.ts'

test.group('Table of a command', () => {
  test('shows no control character of {kind}')
    .with([
      { kind: 'a text', value: 'Ada\u001B[2J\u009B31m\u202E' },
      { kind: 'a list', value: ['Ada\u009B31m\u202E'] },
      { kind: 'an object', value: { name: 'Ada\u009B31m\u202E' } },
    ])
    .run(({ assert }, { value }) => {
      assert.notMatch(formatValue(value), /[\p{Cc}\p{Cf}]/u)
    })
})
