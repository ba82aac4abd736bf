import { test } from '@japa/runner'
import { formatTable, formatValue } from '../../commands/_table.ts'

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

  test('wraps long values and loses nothing of them', ({ assert }) => {
    const email = 'maria-magdalena.von-und-zu-hohenstein@post.example.org'
    const rows = [{ action: 'account.email_change_requested', email }]
    const columns = [
      { name: 'action', title: 'What', width: 18 },
      { name: 'email', title: 'Who', width: 20 },
    ]
    const [titles, , ...lines] = formatTable(rows, columns).trimEnd().split('\n')
    const second = titles.indexOf('Who')
    assert.equal(lines.map((line) => line.slice(0, second).trim()).join(''), rows[0].action)
    assert.equal(lines.map((line) => line.slice(second).trim()).join(''), email)
    for (const line of lines) assert.isAtMost(line.length, 40)
  })
})
