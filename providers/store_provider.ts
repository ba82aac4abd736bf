import type { ApplicationService } from '@adonisjs/core/types'
import type { TokenStore } from '#auth/store/contract'

declare module '@adonisjs/core/types' {
  export interface ContainerBindings {
    token_store: TokenStore
  }
}

/** Opens the token and session store that `STORE` names and closes it with the application. */
export default class StoreProvider {
  #store?: TokenStore

  constructor(protected app: ApplicationService) {}

  register() {
    this.app.container.singleton('token_store', async () => {
      this.#store = await this.#open()
      return this.#store
    })
  }

  async #open(): Promise<TokenStore> {
    const { DatabaseStore } = await import('#auth/store/database_store')
    const { sqliteStanding, serverStanding } = await import('#auth/store/database_standing')
    const { sqliteFile } = await import('#config/database')
    const db = await this.app.container.make('lucid.db')
    const isEmbedded = db.connection().dialect.name === 'better-sqlite3'
    const lookup = isEmbedded ? sqliteStanding(sqliteFile) : serverStanding(() => db.connection())
    return new DatabaseStore(db, lookup)
  }

  async shutdown() {
    await this.#store?.close()
  }
}
