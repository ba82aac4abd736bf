import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { addUser } from '#users/add_user'
import { firstRunChecklist } from '#pages/dashboard/checklist'
import { i18nFor } from '#i18n/locales'
import { createAdmin, createUser, someEmail } from '#tests/support/fixtures'
import { removeEvents } from '#tests/support/trail'

async function isDone(title: string) {
  const steps = await firstRunChecklist(await createAdmin(), i18nFor('en'))
  return steps!.find((step) => step.title === title)!.isDone
}

test.group('First steps | invitation', (group) => {
  group.each.setup(async () => {
    const trx = await db.beginGlobalTransaction()
    await db.from('installation').update({ checklist_dismissed_at: null })
    return () => trx.rollback()
  })

  test('is ticked by one that was sent, not by a registration', async ({ assert }) => {
    const sent = await db.from('audit_events').where('action', 'account.invited')
    await removeEvents(sent.map(({ id }) => id))
    await createUser()
    assert.isFalse(await isDone('Invite someone'))
    await addUser({ email: someEmail(), username: 'Ada' }, SYSTEM)
    assert.isTrue(await isDone('Invite someone'))
  })
})
