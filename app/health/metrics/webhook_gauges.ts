import { findDispatchLag } from '#webhooks/dispatch/stall'
import { gaugeGroup } from './gauge_group.ts'
import { pendingDeliveries } from './pending_deliveries.ts'

export const webhookGauges = gaugeGroup({
  gauges: {
    gatehouse_webhook_oldest_pending_seconds:
      'Age of the oldest delivery that was not received yet; 0 while there is none.',
    gatehouse_webhook_dispatch_lag_seconds:
      'How long sealed events wait for their deliveries; above 10 nothing is cut.',
  },
  async read() {
    const [{ ageMs }, lagMs] = await Promise.all([pendingDeliveries(), findDispatchLag()])
    return {
      gatehouse_webhook_oldest_pending_seconds: [{ value: ageMs / 1_000 }],
      gatehouse_webhook_dispatch_lag_seconds: [{ value: lagMs / 1_000 }],
    }
  },
})
