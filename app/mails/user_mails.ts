import db from '@adonisjs/lucid/services/db'

/** The mails to a user, the oldest first. */
export async function listMailsOfUser(userId: string) {
  const rows = await db
    .from('mails')
    .where('user_id', userId)
    .orderBy('id')
    .select('kind', 'recipient', 'status', 'created_at', 'sent_at')
  return rows.map((row) => ({
    kind: row.kind as string,
    recipient: row.recipient as string,
    status: row.status as string,
    createdAt: new Date(Number(row.created_at)).toISOString(),
    sentAt: row.sent_at ? new Date(Number(row.sent_at)).toISOString() : null,
  }))
}
