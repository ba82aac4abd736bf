import db from '@adonisjs/lucid/services/db'
import { createUser, PASSWORD, signedIn, someAddress } from '#tests/support/fixtures'
import { deliverMails, mailedToken, mailFilesOf } from '#tests/support/mail'
import type { ApiClient } from '@japa/api-client'

/** Makes a verified user with a session. */
export async function owner(client: ApiClient, options: Parameters<typeof createUser>[0] = {}) {
  const user = await createUser({ isVerified: true, ...options })
  return { user, ...(await signedIn(client, user)) }
}

export type Headers = Record<string, string>

export function ask(client: ApiClient, headers: Headers, email: string, more: object = {}) {
  const body = { email, currentPassword: PASSWORD, ...more }
  return client.put('/auth/profile').headers(headers).json(body)
}

export function confirm(client: ApiClient, token: string) {
  const request = client.post('/auth/verify-email').header('x-forwarded-for', someAddress())
  return request.json({ token })
}

export function undo(client: ApiClient, token: string) {
  const request = client.post('/undo-email-change').header('x-forwarded-for', someAddress())
  return request.form({ token })
}

/** Confirms a change of address, and returns the link that undoes it. */
export async function moved(client: ApiClient, headers: Headers, [from, to]: [string, string]) {
  const asked = await ask(client, headers, to)
  asked.assertStatus(200)
  const confirmed = await confirm(client, await mailedToken(to, 'email_change'))
  confirmed.assertStatus(200)
  return mailedToken(from, 'email_change_requested')
}

/** Returns the kinds of mails to an address, oldest first. */
export async function kindsTo(email: string) {
  await deliverMails()
  const mails = await mailFilesOf(email)
  return mails.map(({ kind }) => kind)
}

/** Returns the actions of the audit trail on a user, oldest first. */
export async function actionsOn({ id }: { id: string }) {
  const events = await db.from('audit_events').where('target_id', id).orderBy('id')
  return events.map(({ action }) => action)
}
