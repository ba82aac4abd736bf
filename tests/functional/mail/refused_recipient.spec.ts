import { test } from '@japa/runner'
import logger from '@adonisjs/core/services/logger'
import { recordFailure } from '#mails/queue/failed_delivery'
import { queuePasswordChangedMail } from '#tests/support/mail'
import { createUser } from '#tests/support/fixtures'
import db from '@adonisjs/lucid/services/db'

/** The error of a mail server that refuses an unknown address. */
function refusalOf(recipient: string) {
  const message = `Can't send mail: 550 5.1.1 <${recipient}>: Recipient address rejected`
  return Object.assign(new Error(message), {
    code: 'EENVELOPE',
    command: 'RCPT TO',
    responseCode: 550,
  })
}

test.group('Mail | a recipient that the server refuses', () => {
  test('is in the table and not in the log', async ({ assert, cleanup }) => {
    const user = await createUser()
    const id = await db.transaction((trx) => queuePasswordChangedMail(user, trx))
    const row = await db.from('mails').where('id', id!).firstOrFail()
    const warn = logger.warn
    const lines: unknown[] = []
    Object.assign(logger, { warn: (...line: unknown[]) => lines.push(line) })
    cleanup(() => void Object.assign(logger, { warn }))
    await recordFailure(row, refusalOf(user.email), { isFinal: true, isCounted: true })
    assert.notInclude(JSON.stringify(lines), user.email)
    assert.containSubset(lines, [[{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }]])
    const { last_error: kept } = await db.from('mails').where('id', id!).firstOrFail()
    assert.include(kept, user.email)
  })
})
