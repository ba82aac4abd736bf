import { subscribeToAll } from '#events/record'
import { countEvent } from '#health/metrics/count_events'

export default class MetricsProvider {
  register() {
    subscribeToAll(async (event, trx) => countEvent(event, trx))
  }
}
