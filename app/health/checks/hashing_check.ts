import { BaseCheck, Result } from '@adonisjs/core/health'
import { measureHashRate } from '#auth/passwords/calibration'

/** A slower machine lets people wait at sign-in as soon as several of them do it at once. */
const MIN_HASHES_PER_SECOND = 20

export class HashingCheck extends BaseCheck {
  name = 'hashing'

  async run() {
    const rate = Math.round(await measureHashRate())
    const message = `${rate} password checks a second`
    if (rate >= MIN_HASHES_PER_SECOND) return Result.ok(message)
    const remedy = 'Give the process more or quicker cores.'
    return Result.warning(message).setMetaData({ remedy })
  }
}
