import db from '@adonisjs/lucid/services/db'
import { v7 as uuidv7 } from 'uuid'
import env from '#start/env'
import limits from '#config/limits'
import { SYSTEM, userActor } from '#audit/actor'
import { queueExpiryMails } from '#auth/api_keys/key_mails'
import { hashToken } from '#auth/tokens/hash_token'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import { findPreviousAddresses } from '#mails/queue/previous_addresses'
import User from '#models/user'
import { selectForBulk } from '#users/bulk_selection'
import { resendInvitation } from '#users/invitations'
import { findPasswordToken } from '#users/password_recovery'
import { addServiceAccount } from '#users/service_accounts'
import { createAdmin, createUser, PASSWORD, signedIn, someEmail } from '#tests/support/fixtures'
import { person } from '../account/person.ts'
import { isAnswered, isEachAllowed, type LimitRow, type StatusOf } from './limits.ts'

/* How many mailboxes get mails about one change. */

function undoLink(userId: string) {
  const [id, now] = [uuidv7(), Date.now()]
  const row = { user_id: userId, purpose: 'email_change_undo', email: someEmail() }
  return { id, token_hash: hashToken(id), created_at: now, expires_at: now + 60_000, ...row }
}

async function administrators(count: number) {
  const ids: string[] = []
  while (ids.length < count) {
    const { id } = await createAdmin()
    ids.push(id)
  }
  return ids
}

/** Counts how many of these users are told of a service account's key, and rolls back. */
async function countTold(ids: string[]) {
  const { id } = await addServiceAccount({ username: 'Robot' }, SYSTEM)
  const owner = await User.findOrFail(id)
  const key = { name: 'Nightly', scopes: '', expires_at: Date.now(), created_by: null }
  const trx = await db.transaction()
  try {
    const others = trx.from('users').where({ role: 'Admin' }).whereNotIn('id', ids)
    await others.update({ disabled_at: Date.now() })
    await queueExpiryMails({ owner, key }, trx)
    const mails = trx.from('mails').where({ kind: 'api_key_expiring' }).whereIn('user_id', ids)
    const told = await mails
    return told.length
  } finally {
    await trx.rollback()
  }
}

/** A user who is added with a password gets a mail only if the address must be verified. */
async function withRequiredVerification<Result>(act: () => PromiseLike<Result>) {
  env.set('REQUIRE_VERIFIED_EMAIL', true)
  try {
    return await act()
  } finally {
    env.set('REQUIRE_VERIFIED_EMAIL', false)
  }
}

/** Does what the form of the console does. */
async function resend(user: User, adminId: string) {
  const actor = userActor(adminId, { ip: null, userAgent: null })
  const answered = resendInvitation(user, actor).then(() => 200)
  const status = await answered.catch((error) => error.status)
  return { status: () => status }
}

export const RECIPIENT_LIMITS = {
  /** It makes no difference whether the address has an account. */
  adminMails: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const admin = await createAdmin()
      const { headers } = await signedIn(client, admin)
      const { id: other } = await createUser()
      const post = (path: string, body = {}) => client.post(path).headers(headers).json(body)
      const invite = ({ email }: User) => post('/users', { email, invite: true })
      const sends: Record<string, (user: User) => PromiseLike<StatusOf>> = {
        'an invitation': invite,
        'a new user': ({ email }) =>
          withRequiredVerification(() => post('/users', { email, password: PASSWORD })),
        'another address of a user': ({ email }) =>
          client.put(`/users/${other}`).headers(headers).json({ email }),
        'a reset mail': ({ id }) => post(`/users/${id}/send-password-reset`),
        'an invitation again': (user) => resend(user, admin.id),
      }
      const lastBy = async (send: (user: User) => PromiseLike<StatusOf>) => {
        const user = await createUser()
        return isAnswered(count, (number) => (number < count ? invite : send)(user))
      }
      const ways = Object.entries(sends).map(([name, send]) => [name, () => lastBy(send)])
      return isEachAllowed(Object.fromEntries(ways))
    },
  },
  /** It makes no difference whether the mail had failed. */
  mailRetries: {
    lowered: 2,
    isAllowed: async (count) => {
      const { browser } = await person({ user: await createAdmin() })
      const retry = `/admin/mails/${uuidv7()}/retry`
      return isAnswered(count, async () => {
        const { status } = await browser.submit('/admin/mails', {}, retry)
        return { status: () => status }
      })
    },
  },
  previousAddresses: {
    isAllowed: async (count) => {
      const { id } = await createUser()
      const links = Array.from({ length: count }, () => undoLink(id))
      await db.table('one_time_tokens').multiInsert(links)
      const told = await db.transaction((trx) => findPreviousAddresses(id, someEmail(), trx))
      return told.length === count
    },
  },
  keyMailRecipients: {
    lowered: 2,
    isAllowed: async (count) => {
      const told = await countTold(await administrators(count))
      return told === count
    },
  },
  liveLinks: {
    isAllowed: async (count) => {
      const user = await createUser()
      const tokens: string[] = []
      while (tokens.length < count) {
        const issue = { purpose: 'password_reset' } as const
        tokens.push(await db.transaction((trx) => issueOneTimeToken(user, issue, trx)))
      }
      return (await findPasswordToken(tokens[0])) !== null
    },
  },
  bulkUsers: {
    lowered: 2,
    isAllowed: async (count) => {
      const username = `Selected ${uuidv7()}`
      const admin = await createAdmin()
      for (let number = 1; number <= count; number++) await createUser({ username })
      const { ids } = await selectForBulk({ search: username }, { besides: admin.id })
      return ids.length <= limits.bulkUsers
    },
  },
} satisfies Record<string, LimitRow>
