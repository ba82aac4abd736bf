import { BaseCheck } from '@adonisjs/core/health'
import { failed, passed } from '#health/check_result'
import { sentence } from '#i18n/sentences'
import { findDispatchLag, STALL_MS } from '#webhooks/dispatch/stall'

/** Deliveries are queued in time. Whether an endpoint accepts them is on the page of its webhook. */
export class WebhooksCheck extends BaseCheck {
  name = 'webhooks'

  async run() {
    const lag = await findDispatchLag()
    if (lag <= STALL_MS) return passed(sentence('webhooks.good'))
    const seconds = Math.floor(lag / 1_000)
    return failed(sentence('webhooks.late', { seconds }), sentence('webhooks.remedy'))
  }
}
