import db from '@adonisjs/lucid/services/db'
import { randomUUID } from 'node:crypto'
import { rememberWaiting } from '#auth/address_codes/waiting_sign_ins'
import { deliverMails, mailFilesOf } from './mail.ts'

/** Returns the newest code and link that an address has received. */
export async function mailedCode(recipient: string) {
  await deliverMails()
  const mails = await mailFilesOf(recipient)
  const mail = mails.findLast(({ kind }) => kind === 'address_code')
  const [, code] = /^ +\S+: (\d{6})$/m.exec(mail?.text ?? '') ?? []
  const [link] = /http\S+\/confirm-address\?token=\S+/.exec(mail?.text ?? '') ?? []
  return { code: code ?? '', link: link ?? '', mail }
}

export async function countCodeMails(recipient: string) {
  await deliverMails()
  const mails = await mailFilesOf(recipient)
  return mails.filter(({ kind }) => kind === 'address_code').length
}

/** Returns a different code. */
export function otherThan(code: string) {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}

/** Returns the contents of a mail with a code, and makes the sign-in that waits for it. */
export async function contentsOfCode({ id, email }: { id: string; email: string }) {
  const waiting = {
    id: randomUUID(),
    userId: id,
    webSessionId: randomUUID(),
    clientId: 'grafana',
    deviceName: 'Chrome on Linux',
    path: '/account',
  }
  const codeId = await db.transaction((trx) => rememberWaiting(waiting, email, trx))
  const startedAt = '2026-11-21T14:05:00.000Z'
  return { codeId, application: 'Grafana', deviceName: waiting.deviceName, startedAt }
}
