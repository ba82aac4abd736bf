import db from '@adonisjs/lucid/services/db'
import logger from '@adonisjs/core/services/logger'
import { mailedAdministrators } from '#auth/administrators'
import { queueMail } from '#mails/queue/queue_mail'
import { describeFailure, reasonOf } from './failure.ts'
import { claimMail, failRun } from './state.ts'
import type { Transaction } from '#database/transaction'

/** The next try follows after an hour. Administrators get at most one mail a day. */
export async function reportFailure(runId: string, error: Error) {
  const failure = describeFailure(error)
  logger.error({ err: error }, `the scheduled backup failed: ${failure}`)
  await db.transaction(async (trx) => {
    await failRun(trx, runId, failure)
    if (await claimMail(trx)) await mailAdministrators(trx, error)
  })
}

async function mailAdministrators(trx: Transaction, error: Error) {
  const contents = { failedAt: new Date().toISOString(), reason: reasonOf(error) }
  for (const { id: userId, email: recipient } of await mailedAdministrators(trx)) {
    await queueMail({ kind: 'backup_failed', recipient, userId, contents }, trx)
  }
}
