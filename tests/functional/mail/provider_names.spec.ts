import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { queueMail } from '#mails/queue/queue_mail'
import type { QueuedMail } from '#mails/queue/queued_mail'
import { createUser } from '#tests/support/fixtures'
import { deliverMails, mailFilesOf } from '#tests/support/mail'

const CONTENTS = {
  identity_linked: { provider: 'google' },
  identity_unlinked: { provider: 'google' },
  password_reset: { from: null, removed: { unlinked: ['google'] } },
}

type Kind = keyof typeof CONTENTS

async function mailed(kind: Kind) {
  const { id: userId, email: recipient } = await createUser()
  const mail = { kind, recipient, userId, contents: CONTENTS[kind] } as QueuedMail<Kind>
  await db.transaction((trx) => queueMail(mail, trx))
  await deliverMails()
  const files = await mailFilesOf(recipient)
  return files.findLast((sent) => sent.kind === kind)!
}

test.group('Mails | provider', () => {
  test('{$self} names it as pages do')
    .with(Object.keys(CONTENTS) as Kind[])
    .run(async ({ assert }, kind) => {
      const { text, html } = await mailed(kind)
      for (const body of [text, html]) {
        assert.include(body, 'with Google')
        assert.notInclude(body, 'google')
      }
    })
})
