import type { Transaction } from '#database/transaction'
import type { OneTimePurpose } from './one_time_purposes.ts'

export async function voidOneTimeTokens(
  userId: string,
  purposes: OneTimePurpose[],
  trx: Transaction
) {
  await trx.from('one_time_tokens').where('user_id', userId).whereIn('purpose', purposes).delete()
}

export async function voidTokensAfter(
  mailId: string,
  { userId, purpose }: { userId: string; purpose: OneTimePurpose },
  trx: Transaction
) {
  const tokens = trx.from('one_time_tokens').where({ user_id: userId, purpose })
  await tokens.where('mail_id', '>', mailId).delete()
}

interface MailedElsewhere {
  userId: string
  purpose: OneTimePurpose
  /** The address whose tokens still work. */
  besides: string
  /** The earliest start of the reported change, in milliseconds since the epoch. */
  since: number
}

export async function voidTokensToOthers(
  { userId, purpose, besides, since }: MailedElsewhere,
  trx: Transaction
) {
  const tokens = trx.from('one_time_tokens').where({ user_id: userId, purpose })
  await tokens.whereNot('email', besides).where('caused_at', '>=', since).delete()
}
