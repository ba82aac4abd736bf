import { v7 as uuidv7 } from 'uuid'
import db from '@adonisjs/lucid/services/db'
import { inBatches } from '#database/batches'
import { oneAtATime } from '#database/one_at_a_time'
import { OUTLIVING_KINDS } from '#mails/templates/kinds'
import { removeMailFiles } from './remove_files.ts'
import type { NamedMail } from './mail_file.ts'
import type { Transaction } from '#database/transaction'

/*
 | `mail_erasures` notes the deletion of a user in its transaction. Batches later delete the mails,
 | which may be many, even after a crash.
 */

interface Erasure {
  user_id: string
  recipient: string
  /** A mail id that was generated at the deletion. */
  before: string
}

export async function noteMailErasure(
  { id, email }: { id: string; email: string },
  trx: Transaction
) {
  await trx.table('mail_erasures').insert({ user_id: id, recipient: email, before: uuidv7() })
}

/** @returns the number of deleted mails */
export const finishMailErasures = oneAtATime(async () => {
  const erasures: Erasure[] = await db.from('mail_erasures').limit(1_000)
  let removed = 0
  for (const erasure of erasures) {
    removed += await inBatches((size) => deleteBatch(erasure, size))
    await db.from('mail_erasures').where('user_id', erasure.user_id).delete()
  }
  return removed
})

/** Deletes rows first: a writer that finds no row removes the file that it has just written. */
async function deleteBatch(erasure: Erasure, size: number) {
  const mails: NamedMail[] = await mailsOf(erasure).limit(size).select('id', 'kind', 'created_at')
  const ids = mails.map(({ id }) => id)
  await db.from('mails').whereIn('id', ids).delete()
  await removeMailFiles(mails)
  return mails.length
}

/**
 * A later mail may be to another user of the address: ids grow, even within a millisecond. Notices to
 * a previous user of the address stay, or a thief could register it and delete them unsent.
 */
function mailsOf({ user_id: userId, recipient, before }: Erasure) {
  const mails = db.from('mails').where('id', '<', before)
  return mails.where((mail) => {
    mail.where('user_id', userId).orWhere((toAddress) => {
      toAddress.where({ recipient }).whereNull('user_id').whereNotIn('kind', OUTLIVING_KINDS)
    })
  })
}
