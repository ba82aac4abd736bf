import User from '#models/user'
import { replicaOrPrimary } from '#database/replica'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { ModelQueryBuilderContract } from '@adonisjs/lucid/types/model'

export type UserQuery = ModelQueryBuilderContract<typeof User>

export function queryUsers(client: QueryClientContract = replicaOrPrimary()): UserQuery {
  return User.query({ client })
}
