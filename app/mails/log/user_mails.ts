import db from '@adonisjs/lucid/services/db'
import { BATCH_SIZE, yieldToEventLoop } from '#database/batches'

export async function* walkMailsOfUser(userId: string) {
  let after: string | undefined
  for (;;) {
    const query = db.from('mails').where('user_id', userId).orderBy('id').limit(BATCH_SIZE)
    if (after) query.where('id', '>', after)
    const rows = await query.select('id', 'kind', 'recipient', 'status', 'created_at', 'sent_at')
    if (rows.length > 0 || !after) yield rows.map(toMail)
    if (rows.length < BATCH_SIZE) return
    after = rows.at(-1).id
    await yieldToEventLoop()
  }
}

function toMail(row: any) {
  return {
    kind: row.kind as string,
    recipient: row.recipient as string,
    status: row.status as string,
    createdAt: new Date(Number(row.created_at)).toISOString(),
    sentAt: row.sent_at ? new Date(Number(row.sent_at)).toISOString() : null,
  }
}
