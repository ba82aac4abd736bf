import { BaseCheck, Result } from '@adonisjs/core/health'
import { findOutboundPause } from '#backup/outbound_pause'

export class OutboundCheck extends BaseCheck {
  name = 'sending'

  async run() {
    const pause = await findOutboundPause()
    if (!pause) return Result.ok('mails, webhooks and logout messages go out')
    const since = pause.pausedAt.toISOString().slice(0, 16).replace('T', ' ')
    const remedy = 'Run backup:resume, or say so in the console, if this is no copy.'
    return Result.warning(`rests since ${since} UTC: ${pause.reason}`).setMetaData({ remedy })
  }
}
