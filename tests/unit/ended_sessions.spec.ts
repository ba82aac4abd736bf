import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { noteEndedSessions, takeEndedSessions } from '#events/ended_sessions'
import type { Transaction } from '#database/transaction'

const ids = (count: number) => Array.from({ length: count }, () => randomUUID())

const transaction = () => ({}) as Transaction

test.group('Ended sessions', () => {
  test('an event names what its transaction ended, once', ({ assert }) => {
    const trx = transaction()
    const [one, two, three] = ids(3)
    noteEndedSessions([one, two], trx)
    noteEndedSessions([three], trx)
    assert.deepEqual(takeEndedSessions({}, transaction()), {})
    assert.deepEqual(takeEndedSessions({}, trx), { sessionIds: [one, two, three] })
    assert.deepEqual(takeEndedSessions({}, trx), {})
  })

  test('an event does not repeat its own session', ({ assert }) => {
    const trx = transaction()
    const [sessionId, other] = ids(2)
    noteEndedSessions([sessionId], trx)
    assert.deepEqual(takeEndedSessions({ sessionId }, trx), {})
    noteEndedSessions([other, sessionId], trx)
    assert.deepEqual(takeEndedSessions({ sessionId }, trx), { sessionIds: [other] })
  })

  test('a time stands for more than 50')
    .with([
      { count: 49, isNamed: true },
      { count: 50, isNamed: true },
      { count: 51, isNamed: false },
    ])
    .run(({ assert }, { count, isNamed }) => {
      const [alone, beside] = [transaction(), transaction()]
      const [sessionId, ...others] = ids(count)
      noteEndedSessions([sessionId, ...others], alone)
      noteEndedSessions([sessionId, ...others], beside)
      assert.property(takeEndedSessions({}, alone), isNamed ? 'sessionIds' : 'endedBefore')
      const own = takeEndedSessions({ sessionId }, beside)
      assert.property(own, isNamed ? 'sessionIds' : 'endedBefore')
    })
})
