import stringWidth from 'string-width'
import { test } from '@japa/runner'
import { terminalJson } from '#exceptions/terminal_text'
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

  test('shows none in JSON, which says the same to a parser')
    .with([undefined, 2])
    .run(({ assert }, indent) => {
      const value = { name: 'Ada\u001B[2J\u009B31m\u202E\u{E0001}\n👩‍💻', list: ['\u2028'] }
      const json = terminalJson(value, indent)
      assert.notMatch(json.replaceAll('\n', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      assert.deepEqual(JSON.parse(json), value)
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

  test('{script} shifts no column')
    .with([
      { script: 'Japanese', name: '山田太郎' },
      { script: 'Korean', name: '김민준' },
      { script: 'a combining accent', name: 'Jose\u0301' },
      { script: 'an emoji', name: 'Ada 🚀' },
    ])
    .run(({ assert }, { name }) => {
      const columns = [
        { name: 'name', title: 'Name', width: 20 },
        { name: 'role', title: 'Role', width: 10 },
      ]
      const rows = [
        { name, role: 'Admin' },
        { name: 'Grace', role: 'User' },
      ]
      const [, , wide, narrow] = formatTable(rows, columns).split('\n')
      const columnOf = (line: string, value: string) => stringWidth(line.split(value)[0])
      assert.equal(columnOf(wide, 'Admin'), columnOf(narrow, 'User'))
    })

  test('wraps wide characters within the columns of a cell', ({ assert }) => {
    const name = '長い名前の利用者'.repeat(3)
    const columns = [{ name: 'name', title: 'Name', width: 11 }]
    const [, , ...lines] = formatTable([{ name }], columns).trimEnd().split('\n')
    assert.equal(lines.join(''), name)
    assert.deepEqual([...new Set(lines.slice(0, -1).map((line) => stringWidth(line)))], [10])
  })
})
