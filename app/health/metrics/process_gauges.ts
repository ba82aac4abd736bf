import db from '@adonisjs/lucid/services/db'
import { version } from '#config/app'
import { hashQueueDepth } from '#auth/passwords/hash_queue'
import { gaugeGroup } from './gauge_group.ts'

export const processGauges = gaugeGroup({
  gauges: {
    gatehouse_build_info: 'Always 1; its label is the version of this process.',
    gatehouse_password_hashes: 'Password hashes being computed and waiting.',
    gatehouse_database_connections: 'Connections of this process to the database, by state.',
  },
  async read() {
    const hashes = hashQueueDepth()
    return {
      gatehouse_build_info: [{ labels: { version }, value: 1 }],
      gatehouse_password_hashes: byState(hashes),
      gatehouse_database_connections: byState(connections()),
    }
  },
})

function byState(numbers: Record<string, number>) {
  return Object.entries(numbers).map(([state, value]) => ({ labels: { state }, value }))
}

interface Pool {
  numUsed(): number
  numFree(): number
  numPendingAcquires(): number
}

/** `waiting` counts statements that no connection is free for. */
function connections() {
  const { pool } = db.connection().getWriteClient().client as { pool: Pool }
  return { used: pool.numUsed(), idle: pool.numFree(), waiting: pool.numPendingAcquires() }
}
