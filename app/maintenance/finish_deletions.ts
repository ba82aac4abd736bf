import logger from '@adonisjs/core/services/logger'
import { finishErasures } from '#audit/privacy/erasure'
import { finishMailErasures } from '#mails/log/erase_mails'

/**
 * Deletes what users who are gone have left: their mails, then what finds their events. The second
 * step empties the write-ahead log of SQLite. What fails here is finished by the next pruning.
 */
export async function finishDeletions() {
  try {
    await finishMailErasures()
    await finishErasures()
  } catch (error) {
    logger.warn({ err: error }, 'a deletion is unfinished')
  }
}
