import { BaseCheck, Result } from '@adonisjs/core/health'
import { findDispatchLag, STALL_MS } from '#webhooks/dispatch/stall'

/** Deliveries are queued in time. Whether an endpoint accepts them is on the page of its webhook. */
export class WebhooksCheck extends BaseCheck {
  name = 'webhooks'

  async run() {
    const lag = await findDispatchLag()
    if (lag <= STALL_MS) return Result.ok('deliveries are queued in time')
    const seconds = Math.floor(lag / 1_000)
    const remedy = 'Start the product; its log names what keeps deliveries from being queued.'
    const message = `no webhook deliveries were queued for ${seconds} seconds`
    return Result.failed(message).setMetaData({ remedy })
  }
}
