import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import { replicaConnection } from './postgres_connection.ts'
import { fallBackTo, type KnexClient } from './replica_fallback.ts'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'

const prepared = new WeakSet<KnexClient>()

/** Rows of a replica may be a moment old, so checks that decide anything read the primary. */
export function replicaOrPrimary() {
  const hasReplica = env.get('DB_CONNECTION') === 'pg' && replicaConnection
  return hasReplica ? connectReplica() : db.connection()
}

function connectReplica() {
  const connection = db.connection('pg_replica')
  const replica = clientOf(connection)
  if (!prepared.has(replica)) fallBackTo(() => clientOf(db.connection()), replica)
  prepared.add(replica)
  return connection
}

function clientOf(connection: QueryClientContract): KnexClient {
  return connection.getReadClient().client
}
