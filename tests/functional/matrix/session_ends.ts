import db from '@adonisjs/lucid/services/db'
import { v7 as uuidv7 } from 'uuid'
import { SYSTEM } from '#audit/actor'
import { resetMfa } from '#users/reset_mfa'
import { endAllSessionsAs, endSessionAs } from '#auth/sessions/end_session'
import { reportSignIn } from '#users/report_sign_in'
import { listSessions } from '#auth/sessions/sessions'
import { issueOneTimeToken } from '#auth/tokens/issue_one_time_token'
import { setPassword } from '#users/change_password'
import { deleteUser } from '#users/delete_user'
import { resetPassword } from '#users/password_recovery'
import { undoEmailChange } from '#users/undo_email_change'
import { changeRole } from '#users/change_role'
import { disableUser } from '#users/disable_user'
import { bearer, PASSWORD, someAddress } from '#tests/support/fixtures'
import { startSession } from '#auth/sessions/sessions'
import { issueAccessToken } from '#auth/tokens/access_tokens'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import type { Prover } from './sensitive_changes.ts'

/* What ends the session of a user: prepared first, and completed when the test calls it. */

const NEW_PASSWORD = 'Yet-an0ther-horse!'
const FROM = { ip: '203.0.113.9', userAgent: null }

type End = (prover: Prover) => Promise<() => Promise<unknown>>

function link({ user }: Prover, purpose: OneTimePurpose) {
  const subject = { purpose, mailId: uuidv7(), causedAt: Date.now(), fingerprint: 'none' }
  return db.transaction((trx) => issueOneTimeToken(user, subject, trx))
}

/** Starts another session of the user, which has proved everything. */
async function elsewhere({ user }: Prover) {
  const device = { id: 'default', ip: someAddress(), userAgent: null }
  const proof = { method: 'password', amr: ['pwd', 'otp', 'mfa'] }
  const { session } = await startSession(user, { device, ...proof })
  return bearer(await issueAccessToken(user, session.id))
}

function post(path: string, body: object = {}): End {
  return async (prover) => {
    const headers = await elsewhere(prover)
    return async () => {
      const response = await prover.client.post(path).headers(headers).json(body)
      response.assertStatus(200)
    }
  }
}

const notMe: End = async (prover) => {
  const token = await link(prover, 'sign_in_report')
  await elsewhere(prover)
  return () => reportSignIn(token, FROM)
}

const undo: End = async (prover) => {
  const token = await link(prover, 'email_change_undo')
  return () => undoEmailChange(token, FROM)
}

const reset: End = async (prover) => {
  const token = await link(prover, 'password_reset')
  return () => resetPassword({ token, password: NEW_PASSWORD }, FROM)
}

const administrators: End = async ({ user }) => {
  const sessions = await listSessions(user.id)
  return () => Promise.all(sessions.map(({ id }) => endSessionAs(user.id, id, SYSTEM)))
}

const CHANGED = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }

export const ENDS: Record<string, End> = {
  '“not me”': notMe,
  'the undoing of an address': undo,
  'a reset by mail': reset,
  'logging out of all': post('/auth/logout-all'),
  'a logout elsewhere': post('/auth/logout'),
  'a change of password elsewhere': post('/auth/change-password', CHANGED),
  'the end of the session': administrators,
  'the end of all by others':
    async ({ user }) =>
    () =>
      endAllSessionsAs(user.id, SYSTEM),
  'disabling':
    async ({ user }) =>
    () =>
      disableUser(user.id, {}, SYSTEM),
  'a new role':
    async ({ user }) =>
    () =>
      changeRole(user.id, 'User', SYSTEM),
  'a password by others':
    async ({ user }) =>
    () =>
      setPassword(user, NEW_PASSWORD, { actor: SYSTEM }),
  'a reset of MFA':
    async ({ user }) =>
    () =>
      resetMfa(user.id, SYSTEM),
  'the deletion':
    async ({ user }) =>
    () =>
      deleteUser(user.id, SYSTEM),
}
