import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { AUDITED_TYPES } from '#events/event_types'
import { createAdmin, createUser } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf } from '#tests/support/mail'
import { signWith } from '#tests/support/signing_keys'
import { findWebhookError } from '#tests/support/webhooks'
import { BY_COMMAND, EVENTS, type EventRow } from './events.ts'
import type User from '#models/user'

/*
 | Every action of the trail × who acts, which user it is about, its outcome, and the mails to that
 | user, if any. Webhook payloads match their schema. A new action adds its row to EVENTS.
 */

const ROWS = Object.entries(EVENTS).map(([action, row]: [string, EventRow]) => ({
  action,
  told: row.mails.join(', ') || 'nothing',
  ...row,
}))

test.group('Matrix | events', (group) => {
  signWith(group, 'ES256')

  test('every action has a row', ({ assert }) => {
    assert.sameMembers([...Object.keys(EVENTS), ...Object.keys(BY_COMMAND)], [...AUDITED_TYPES])
    for (const [action, file] of Object.entries(BY_COMMAND)) {
      assert.include(readFileSync(file, 'utf8'), action)
    }
  })

  test('{action} by {actor} about {target} mails {told}')
    .with(ROWS)
    .run(async ({ client, assert }, { action, cause, actor, target, outcome, mails }) => {
      const [user, admin] = [await createUser(), await createAdmin()]
      const concerned = ((await cause({ client, user, admin })) ?? user) as User
      await deliverMails()
      const about = { action, target_id: target === 'user' ? concerned.id : null }
      const event = await db.from('audit_events').where(about).orderBy('id', 'desc').first()
      assert.isNull(await findWebhookError(event))
      const actors = { user: concerned.id, administrator: admin.id, anonymous: null }
      assert.containSubset(event, { actor_id: actors[actor], outcome })
      assert.equal(event.actor === 'anonymous', actor === 'anonymous')
      const address = concerned.id === user.id ? user.email : concerned.email
      const sent = await mailFilesOf(address)
      assert.deepEqual(
        sent.map(({ kind }) => kind),
        mails
      )
    })
})
