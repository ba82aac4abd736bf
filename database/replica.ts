import db from '@adonisjs/lucid/services/db'
import env from '#start/env'

/**
 * Where long lists are read from: the replica, where there is one. What it shows may be a
 * moment old, so nothing that decides anything is asked there.
 */
export function replicaOrPrimary() {
  const hasReplica = env.get('DB_CONNECTION') === 'pg' && env.get('DATABASE_REPLICA_URL')
  return hasReplica ? db.connection('pg_replica') : db.connection()
}
