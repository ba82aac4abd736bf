import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { inBatches } from '#database/batches'
import { oneAtATime } from '#database/one_at_a_time'
import { removeMailFiles } from './remove_files.ts'
import type { NamedMail } from './mail_file.ts'
import type { Transaction } from '#database/transaction'

/*
 | The mails to a user who is deleted, queued ones too, and the files that they were written to:
 | nothing may hold their address any longer. They are many perhaps, so that the transaction which
 | deletes the user notes them in `mail_erasures`, and they are deleted after it in batches. What
 | a crash interrupts, the next start finishes.
 */

interface Erasure {
  user_id: string
  recipient: string
  /** A mail id of the moment of the deletion. */
  before: string
}

/** Notes that the mails to a user are to be deleted, in the transaction that deletes the user. */
export async function noteMailErasure(
  { id, email }: { id: string; email: string },
  trx: Transaction
) {
  await trx.table('mail_erasures').insert({ user_id: id, recipient: email, before: uuidv7() })
}

/** Finishes every erasure, and returns the number of deleted mails. Several processes may do so at once. */
export const finishMailErasures = oneAtATime(async () => {
  const erasures: Erasure[] = await db.from('mail_erasures').limit(1_000)
  let removed = 0
  for (const erasure of erasures) {
    removed += await inBatches((size) => deleteBatch(erasure, size))
    await db.from('mail_erasures').where('user_id', erasure.user_id).delete()
  }
  return removed
})

/** Rows first: a file that is written meanwhile is removed by its writer, who finds no row. */
async function deleteBatch(erasure: Erasure, size: number) {
  const mails: NamedMail[] = await mailsOf(erasure).limit(size).select('id', 'kind', 'created_at')
  const ids = mails.map(({ id }) => id)
  await db.from('mails').whereIn('id', ids).delete()
  await removeMailFiles(mails)
  return mails.length
}

/**
 * A later mail is to somebody who has the address now. Ids grow, even within a millisecond, so that
 * they tell it from those before.
 */
function mailsOf({ user_id: userId, recipient, before }: Erasure) {
  return db
    .from('mails')
    .where('id', '<', before)
    .where((mail) => mail.where('user_id', userId).orWhere('recipient', recipient))
}
