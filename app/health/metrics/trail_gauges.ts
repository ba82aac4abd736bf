import db from '@adonisjs/lucid/services/db'
import { findUnsealed } from '#audit/chain/unsealed'
import { gaugeGroup } from './gauge_group.ts'

export const trailGauges = gaugeGroup({
  gauges: {
    gatehouse_unsealed_events: 'Audit events that are not sealed yet, at most 1,000.',
    gatehouse_oldest_unsealed_event_age_seconds:
      'Age of the oldest audit event that is not sealed; above 10 it is late, or was forged.',
    gatehouse_audit_unsealed_seconds: 'As gatehouse_oldest_unsealed_event_age_seconds.',
  },
  async read() {
    const { events, lagMs } = await findUnsealed(db.connection())
    const age = [{ value: lagMs / 1_000 }]
    return {
      gatehouse_unsealed_events: [{ value: events }],
      gatehouse_oldest_unsealed_event_age_seconds: age,
      gatehouse_audit_unsealed_seconds: age,
    }
  },
})
