import limits from '#config/limits'
import { selectRows } from '#database/select_rows'
import { UNDO_KINDS } from '#mails/templates/kinds'
import type { Transaction } from '#database/transaction'

/**
 * The former addresses of a user whose link to undo a change still works, or is about to be
 * mailed. All were proved, and none has seen the user go for good.
 *
 * @param present that is told anyway
 */
export async function findFormerAddresses(userId: string, present: string, trx: Transaction) {
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
    [userId, Date.now(), userId, ...UNDO_KINDS, present, limits.formerAddresses]
  )
  return rows.map(({ email }) => email)
}
