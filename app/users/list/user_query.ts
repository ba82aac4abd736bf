import User from '#models/user'
import { replicaOrPrimary } from '#database/replica'
import type { ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'

export type UserQuery = ModelQueryBuilderContract<typeof User>

/** A query of all users, on the connection that every read of a list uses. */
export function queryUsers(): UserQuery {
  return User.query({ client: replicaOrPrimary() })
}
