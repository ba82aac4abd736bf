import { BaseCheck, Result } from '@adonisjs/core/health'
import { measureHashRate } from '#auth/passwords/calibration'

/** On a slower machine, users who sign in at the same time wait for each other. */
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
