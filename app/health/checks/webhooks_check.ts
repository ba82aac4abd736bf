import { BaseCheck } from '@adonisjs/core/health'
import { failed, passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'
import { findFailingWebhooks } from '#webhooks/failing'
import { findDispatchLag, STALL_MS } from '#webhooks/dispatch/stall'

/** Checks that deliveries are queued in time, and that their receivers accept them. */
export class WebhooksCheck extends BaseCheck {
  name = 'webhooks'

  async run() {
    const lag = await findDispatchLag()
    if (lag <= STALL_MS) return this.#judgeReceivers()
    const seconds = Math.floor(lag / 1_000)
    return failed(sentence('webhooks.late', { seconds }), sentence('webhooks.remedy'))
  }

  async #judgeReceivers() {
    const [first, ...others] = await findFailingWebhooks()
    if (!first) return passed(sentence('webhooks.good'))
    const finding = sentence('webhooks.fails', { name: first.name, more: others.length })
    return warning(finding, sentence('webhooks.fails_remedy'))
  }
}
