import limits from '#config/limits'
import { isPlaceholder } from '#models/email'
import { selectRows } from '#database/select_rows'
import { UNDO_KINDS } from '#mails/templates/kinds'
import type User from '#models/user'
import type { Transaction } from '#database/transaction'

/**
 * The addresses that are told of a deletion: the verified one, and previous ones, because a
 * thief may have changed the address before. Ask before the row of the user goes.
 */
export async function findProvedAddresses(user: User, trx: Transaction) {
  const { id, email, isEmailVerified } = user
  const previous = await findPreviousAddresses(id, email, trx)
  return isEmailVerified && !isPlaceholder(email) ? [...previous, email] : previous
}

/**
 * The previous addresses of a user whose link to undo a change still works, or is queued. The
 * user had proved each of them.
 *
 * @param current gets a mail anyway
 */
export async function findPreviousAddresses(userId: string, current: string, trx: Transaction) {
  const marks = UNDO_KINDS.map(() => '?').join(', ')
  const rows = await selectRows<{ email: string }>(
    trx,
    `SELECT email FROM (
       SELECT email, created_at FROM one_time_tokens
        WHERE user_id = ? AND purpose = 'email_change_undo' AND expires_at > ?
       UNION ALL
       SELECT recipient, created_at FROM mails
        WHERE user_id = ? AND status = 'queued' AND kind IN (${marks})
     ) AS undo WHERE email <> ? GROUP BY email ORDER BY min(created_at) LIMIT ?`,
    [userId, Date.now(), userId, ...UNDO_KINDS, current, limits.formerAddresses]
  )
  return rows.map(({ email }) => email)
}
