import { areGuessable, areMultiFactor } from '#auth/methods/methods'
import { NO_FAILURES } from '#auth/mfa/second_factor'
import type { KnownDevice } from '#auth/devices/recognition'
import type { Candidate } from './candidate.ts'
import type { Transaction } from '#database/transaction'
import type User from '#models/user'

/** One conditional UPDATE decides whether the user is still in the proved state. */
export async function markSignedIn(
  candidate: Candidate,
  rehashed: string | null,
  trx: Transaction
) {
  const { user, verifiedMethods } = candidate
  const isMultiFactor = areMultiFactor(verifiedMethods)
  const now = Date.now()
  const query = trx.from('users').where(stateOf(user)).whereNull('disabled_at')
  if (user.mfaEnabled && !isMultiFactor) whereLapsed(query, 'mfa_locked_until', now)
  const changed = await whereUnlocked(query, candidate, now).update({
    last_login_at: now,
    ...(rehashed && { password: rehashed }),
    ...((user.mfaEnabled || isMultiFactor) && NO_FAILURES),
  })
  return Number(changed) === 1
}

function stateOf(user: User) {
  return {
    id: user.id,
    role: user.role,
    password_changed_at: user.passwordChangedAt!.toMillis(),
    mfa_enabled: Boolean(user.mfaEnabled),
  }
}

type UserQuery = ReturnType<Transaction['from']>

function whereLapsed(query: UserQuery, column: string, now: number) {
  return query.where((lapsed) => lapsed.whereNull(column).orWhere(column, '<=', now))
}

function whereUnlocked(query: UserQuery, { knownDevice, verifiedMethods }: Candidate, now: number) {
  return query.where((open) => {
    open.where((free) => whereLapsed(free, 'locked_until', now))
    if (!areGuessable(verifiedMethods)) open.orWhereRaw(BY_FAILURES)
    else if (knownDevice) open.orWhere((locked) => whereKnown(locked, knownDevice))
  })
}

const BY_FAILURES = `COALESCE(lock_kind, 'failures') = 'failures'`

function whereKnown(query: UserQuery, { id }: KnownDevice) {
  return query
    .whereRaw(BY_FAILURES)
    .whereExists((device) =>
      device
        .from('known_devices')
        .where('token_id', id)
        .whereColumn('known_devices.user_id', 'users.id')
    )
}
