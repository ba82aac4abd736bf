import { count } from './counters.ts'

/** The events of a transaction tell why its sessions end. */
const REASONS: Record<string, string> = {
  'account.deleted': 'deleted',
  'account.disabled': 'disabled',
  'application.authorized': 'replaced',
  'application.withdrawn': 'withdrawn',
  'client.deleted': 'client_changed',
  'client.updated': 'client_changed',
  'code.reused': 'token_reused',
  'email.change_undone': 'email_change_undone',
  'group.deleted': 'access_lost',
  'group.member_removed': 'access_lost',
  'identity.unlinked': 'identity_unlinked',
  'login.succeeded': 'replaced',
  'mfa.disabled': 'mfa_changed',
  'mfa.enabled': 'mfa_changed',
  'mfa.reset': 'mfa_changed',
  'passkey.removed': 'passkey_removed',
  'password.changed': 'password_changed',
  'password.reset': 'password_reset',
  'refresh.reused': 'token_reused',
  'role.changed': 'role_changed',
  'session.denied': 'reported',
  'session.ended': 'signed_out',
  'sessions.ended': 'ended_all',
}

interface Committing {
  after(event: 'commit', hook: () => void): unknown
}

interface Ends {
  number: number
  reason: string
}

const pending = new WeakMap<object, Ends>()

/** Counts at the commit, because a change that rolls back ends nothing. */
function endsOf(trx: Committing): Ends {
  const known = pending.get(trx)
  if (known) return known
  const ends: Ends = { number: 0, reason: 'other' }
  pending.set(trx, ends)
  trx.after('commit', () => {
    if (ends.number > 0) count('gatehouse_sessions_ended_total', ends, ends.number)
  })
  return ends
}

export function countEndedSessions(number: number, trx: Committing) {
  if (number > 0) endsOf(trx).number += number
}

/** These say that a session ended; another event of the transaction says why. */
const WITHOUT_CAUSE = new Set(['session.ended', 'sessions.ended'])

export function noteReason(event: string, trx: Committing) {
  const reason = REASONS[event]
  if (!reason) return
  const ends = endsOf(trx)
  if (ends.reason === 'other' || !WITHOUT_CAUSE.has(event)) ends.reason = reason
}
