import { BaseCheck, Result } from '@adonisjs/core/health'
import { findOutboundPause } from '#backup/outbound_pause'

export class OutboundCheck extends BaseCheck {
  name = 'sending'

  async run() {
    const pause = await findOutboundPause()
    if (!pause) return Result.ok('mails, webhooks and logout messages are sent')
    const since = pause.pausedAt.toISOString().slice(0, 16).replace('T', ' ')
    const remedy = 'If this is not a copy, run backup:resume or resume sending in the console.'
    return Result.warning(`paused since ${since} UTC: ${pause.reason}`).setMetaData({ remedy })
  }
}
