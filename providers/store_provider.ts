import type { ApplicationService } from '@adonisjs/core/types'
import type { Database } from '@adonisjs/lucid/database'
import type { TokenStore } from '#auth/store/contract'
import type { TokenLookup } from '#auth/store/database/token_lookup'
import type { RedisStore } from '#auth/store/redis/store'
import type { Unsent } from '#auth/store/redis/unsent_changes'

declare module '@adonisjs/core/types' {
  export interface ContainerBindings {
    token_store: TokenStore
  }
}

/** After this wait, the product answers 503 until Redis answers. */
const START_WAIT_MS = 1_000

export default class StoreProvider {
  #store?: TokenStore
  #stopLooking = () => {}

  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton('token_store', async () => {
      this.#store = await this.#measured(await this.#open())
      return this.#store
    })
  }

  async boot() {
    if (await this.#isRedis()) await this.#listenForChanges()
  }

  async ready() {
    if (this.app.getEnvironment() !== 'web' || this.app.getMode() !== 'run') return
    const db = await this.app.container.make('lucid.db')
    if (db.connection().dialect.name !== 'postgres') return
    const { pollIncarnation } = await import('#database/incarnation')
    this.#stopLooking = pollIncarnation(db)
  }

  /** Redis is told of changes before and after each commit of Postgres. */
  async #listenForChanges() {
    const { onChange } = await import('#database/change_watch')
    const store = () => this.app.container.make('token_store') as Promise<RedisStore>
    onChange({
      beginChange: (changed, writer, unsent) =>
        store().then((redis) => redis.beginChange(changed, writer, unsent as Unsent | null)),
      endChange: (changed, writer) => store().then((redis) => redis.endChange(changed, writer)),
    })
  }

  async #isRedis() {
    const { default: env } = await import('#start/env')
    return env.get('STORE') === 'redis'
  }

  async #open(): Promise<TokenStore> {
    return (await this.#isRedis()) ? this.#openRedis() : this.#openDatabase()
  }

  async #measured(store: TokenStore) {
    const { measureStore } = await import('#auth/store/measured_store')
    const { default: env } = await import('#start/env')
    return measureStore(store, { isFull: Boolean(env.get('METRICS_TOKEN')) })
  }

  async #openRedis(): Promise<TokenStore> {
    const { RedisStore } = await import('#auth/store/redis/store')
    const { RedisConnection, waitUntilReady } = await import('#auth/store/redis/connection')
    const redis = await this.app.container.make('redis')
    const [store, limits] = ['store', 'main'].map((name) => redis.connection(name as any))
    const connection = new RedisConnection(store.ioConnection)
    const connections = [connection.client, limits.ioConnection]
    await Promise.all(connections.map((client) => waitUntilReady(client, START_WAIT_MS)))
    return new RedisStore(connection, await this.app.container.make('lucid.db'))
  }

  async #openDatabase(): Promise<TokenStore> {
    const { DatabaseStore } = await import('#auth/store/database/store')
    const db = await this.app.container.make('lucid.db')
    return new DatabaseStore(db, await this.#openLookup(db))
  }

  async #openLookup(db: Database): Promise<TokenLookup> {
    if (db.connection().dialect.name === 'postgres') {
      const { PostgresLookup } = await import('#auth/store/database/postgres_lookup')
      return new PostgresLookup(() => db.connection())
    }
    const { SqliteLookup } = await import('#auth/store/database/sqlite_lookup')
    const { sqliteFile } = await import('#config/database')
    return new SqliteLookup(sqliteFile)
  }

  async shutdown() {
    this.#stopLooking()
    await this.#store?.close()
  }
}
