import db from '@adonisjs/lucid/services/db'
import env from '#start/env'

/**
 * The connection that lists, their counts and their searches are read from: the replica,
 * where `DATABASE_REPLICA_URL` names one. Its rows may be a moment old, so checks that
 * decide anything read the primary.
 */
export function replicaOrPrimary() {
  const hasReplica = env.get('DB_CONNECTION') === 'pg' && env.get('DATABASE_REPLICA_URL')
  return hasReplica ? db.connection('pg_replica') : db.connection()
}
