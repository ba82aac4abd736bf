import { BaseCheck } from '@adonisjs/core/health'
import { countPeriod, type Activity } from '#audit/trail/activity'
import { passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'

const MINUTES = 15

/** Users mistype: fewer failures are no attack. */
const MANY_FAILURES = 20

/** Of each sign-in, where an office or a school comes in at the same time. */
const FAILURES_OF_ONE = 10

/** Somebody guesses passwords, or an application sends a wrong one again and again. */
export class SignInsCheck extends BaseCheck {
  name = 'sign-ins'

  async run() {
    const now = Date.now()
    const counted = await countPeriod(now - MINUTES * 60_000, now + 1)
    const { failures, signIns, locks } = counted
    const finding = sentence('sign_ins.counts', { failures, signIns, locks, minutes: MINUTES })
    return isFlood(counted) ? warning(finding, sentence('sign_ins.remedy')) : passed(finding)
  }
}

export function isFlood({ failures, signIns }: Pick<Activity, 'failures' | 'signIns'>) {
  return failures >= MANY_FAILURES && failures >= signIns * FAILURES_OF_ONE
}
