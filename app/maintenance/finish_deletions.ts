import logger from '@adonisjs/core/services/logger'
import { finishErasures } from '#audit/privacy/erasure'
import { finishMailErasures } from '#mails/log/erase_mails'

/** The next pruning finishes what fails. The second step empties the write-ahead log of SQLite. */
export async function finishDeletions() {
  try {
    await finishMailErasures()
    await finishErasures()
  } catch (error) {
    logger.warn({ err: error }, 'a deletion is unfinished')
  }
}
