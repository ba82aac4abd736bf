import { setTimeout as sleep } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { record } from '#events/record'
import { writesMailFiles } from '#mails/log/mail_file'
import { findMail } from '#mails/log/mail_log'
import { queueMail } from './queue_mail.ts'
import type User from '#models/user'
import type { Actor } from '#audit/actor'

/** How long a page waits: a server that hangs longer is told of as one that has not answered. */
const WAIT_MS = 12_000
const POLL_MS = 100

/** What became of a test mail: what the server answered, or that it has not answered yet. */
export type TestMailResult =
  { outcome: 'sent' | 'waiting' } | { outcome: 'deferred' | 'failed'; answer: string }

/** Mails an administrator that mail works, at their own address; returns the id of the mail. */
export function sendTestMail({ id, email }: User, actor: Actor) {
  return db.transaction(async (trx) => {
    // Queued here and not on the event: the caller waits for this mail, by its id.
    const mailId = await queueMail(
      { kind: 'test', recipient: email, userId: id, contents: {} },
      trx
    )
    await record(trx, { type: 'mail.tested', user: { id }, actor })
    return mailId
  })
}

/** Waits until the mail server has answered, for as long as a page may. */
export async function waitForTestMail(id: string, waitMs = WAIT_MS): Promise<TestMailResult> {
  const deadline = Date.now() + waitMs
  for (;;) {
    const result = await findResult(id)
    if (result || Date.now() >= deadline) return result ?? { outcome: 'waiting' }
    await sleep(POLL_MS)
  }
}

async function findResult(id: string): Promise<TestMailResult | null> {
  const mail = await findMail(id)
  if (mail?.status === 'sent') return { outcome: 'sent' }
  if (!mail?.lastError) return null
  return { outcome: mail.status === 'failed' ? 'failed' : 'deferred', answer: mail.lastError }
}

/** Whether a mail server has taken a test mail; one that became a file proves nothing. */
export async function hasTestedMail() {
  if (writesMailFiles) return false
  const sent = await db.from('mails').where({ kind: 'test', status: 'sent' }).select('id').first()
  return Boolean(sent)
}
