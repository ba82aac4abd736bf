import { setTimeout as sleep } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { record } from '#events/record'
import { throttleTests } from '#settings/throttle'
import { writesMailFiles } from '#mails/log/mail_file'
import { findMail } from '#mails/log/mail_log'
import { queueMail } from './queue_mail.ts'
import type User from '#models/user'
import type { Actor } from '#audit/actor'

/** The time that a page waits before it says that the server has not answered. */
const WAIT_MS = 12_000
const POLL_MS = 100

export type TestMailResult =
  { outcome: 'sent' | 'waiting' } | { outcome: 'deferred' | 'failed'; answer: string }

/** @returns the id of the mail. @throws E_TOO_MANY_REQUESTS */
export async function sendTestMail({ id, email }: User, actor: Actor) {
  await throttleTests(actor)
  return db.transaction(async (trx) => {
    // Not queued on the event, because the caller waits for this mail by its id.
    const mailId = await queueMail(
      { kind: 'test', recipient: email, userId: id, contents: {} },
      trx
    )
    await record(trx, { type: 'mail.tested', user: { id }, actor })
    return mailId
  })
}

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

/** The number of newest tests that are read, in a form that the index of tests covers. */
const NEWEST = 20

/** A mail that was written to a file proves nothing. */
export async function hasTestedMail() {
  if (writesMailFiles()) return false
  const tests = db.from('mails').whereRaw(`kind = 'test'`).orderBy('id', 'desc')
  const newest = await tests.limit(NEWEST).select('status')
  return newest.some(({ status }) => status === 'sent')
}
