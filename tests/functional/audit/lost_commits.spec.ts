import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { noteCommitted } from '#audit/chain/lost_commits'
import { noteIncarnation } from '#database/incarnation'
import { createUser } from '#tests/support/fixtures'
import { until } from '#tests/support/waiting'

const SECOND_MS = 1_000

/** An event that a client was told of, and that the database lost. */
function loseEvent() {
  const event = { id: randomUUID(), occurredAt: Date.now() - 2 * SECOND_MS }
  noteCommitted(event)
  return event.id
}

function takeOver() {
  for (const name of ['primary', 'standby']) noteIncarnation(`${name} ${randomUUID()}`)
}

test.group('Lost commits | after another server took over', (group) => {
  let lines: { event?: string }[] = []

  group.each.setup(() => {
    const { error } = logger
    lines = []
    Object.assign(logger, { error: (line: object) => lines.push(line) })
    return () => {
      Object.assign(logger, { error })
      noteIncarnation('')
    }
  })

  test('a later event, which the new server has, hides no loss', async ({ assert }) => {
    const lost = loseEvent()
    await createUser()
    takeOver()
    await until(() => lines.length > 0)
    assert.equal(lines[0].event, lost)
  })

  test('an event during the first look, which fails, hides no loss', async ({ assert }) => {
    const lost = loseEvent()
    const { from } = db
    const down = () => Promise.reject(new Error('Connection terminated'))
    Object.assign(db, { from: () => ({ whereIn: () => ({ select: down }) }) })
    takeOver()
    Object.assign(db, { from })
    for (let second = 0; second < 20; second++) {
      noteCommitted({ id: randomUUID(), occurredAt: Date.now() + second * SECOND_MS })
    }
    await until(() => lines.length > 0)
    assert.equal(lines[0].event, lost)
  })
})
