import { BaseCheck } from '@adonisjs/core/health'
import { passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'
import { measureHashRate } from '#auth/passwords/calibration'

/** On a slower machine, users who sign in at the same time wait for each other. */
const MIN_HASHES_PER_SECOND = 20

export class HashingCheck extends BaseCheck {
  name = 'hashing'

  async run() {
    const rate = Math.round(await measureHashRate())
    const finding = sentence('hashing.rate', { rate })
    return rate >= MIN_HASHES_PER_SECOND
      ? passed(finding)
      : warning(finding, sentence('hashing.remedy'))
  }
}
