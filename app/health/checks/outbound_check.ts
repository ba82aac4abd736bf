import { BaseCheck } from '@adonisjs/core/health'
import { findOutboundPause } from '#backup/outbound_pause'
import { passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'

export class OutboundCheck extends BaseCheck {
  name = 'sending'

  async run() {
    const pause = await findOutboundPause()
    if (!pause) return passed(sentence('sending.good'))
    const since = pause.pausedAt.toISOString().slice(0, 16).replace('T', ' ')
    const finding = sentence('sending.paused', { since, reason: pause.reason })
    return warning(finding, sentence('sending.remedy'))
  }
}
