import { test } from '@japa/runner'
import { prettyLine } from '#http/log/pretty'

const LINE = { level: 'warn', time: '2026-11-21T14:05:00.000Z', msg: 'a mail was not delivered' }

function pretty(members: object) {
  return prettyLine(JSON.stringify({ ...LINE, ...members }))
}

test.group('Log | for people', () => {
  test('an answer of another server moves no cursor', ({ assert }) => {
    const line = pretty({ reason: '550 no\u001b[2K\r\nsuch user\u009b1A' })
    const shown = 'reason=550 no�[2K� such user�1A'
    assert.equal(line, `${LINE.time} warn  a mail was not delivered ${shown}\n`)
  })

  test('a stack keeps its lines', ({ assert }) => {
    const line = pretty({ err: { stack: 'Error: \u001b[31mno\n    at send' } })
    assert.match(line, /delivered\nError: �\[31mno\n {4}at send\n$/)
  })
})
