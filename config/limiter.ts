import { defineConfig, stores } from '@adonisjs/limiter'
import type { RedisConnections } from '@adonisjs/redis/types'
import env from '#start/env'

/** The token store keeps the counts, so that all processes share them. */
const database = stores.database({
  tableName: 'rate_limits',
  keyPrefix: '',
  clearExpiredByTimeout: false,
})

const redis = stores.redis({
  connectionName: 'main' as keyof RedisConnections,
  keyPrefix: 'gatehouse:limit',
})

export default defineConfig({
  default: 'shared',
  stores: { shared: env.get('STORE') === 'redis' ? redis : database },
})

declare module '@adonisjs/limiter/types' {
  export interface LimitersList {
    shared: any
  }
}
