import { BaseCheck } from '@adonisjs/core/health'
import { countPeriod, type Activity } from '#audit/trail/activity'
import { passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'

const MINUTES = 15

/** Fewer failures are not an attack, because users mistype. */
const MANY_FAILURES = 20

/** If all users of an office sign in at nine, more of them mistype, but most succeed. */
const FAILURES_PER_SIGN_IN = 10

/** Warns if somebody guesses passwords, or an application sends a wrong one again and again. */
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
  return failures >= MANY_FAILURES && failures >= signIns * FAILURES_PER_SIGN_IN
}
