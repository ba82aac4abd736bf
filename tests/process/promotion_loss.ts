import { Postgres } from '#tests/servers/postgres'
import { Redis } from '#tests/servers/redis'
import { TcpProxy } from '#tests/servers/tcp_proxy'
import { until } from '#tests/support/waiting'
import { WITH_ADMIN } from './application.ts'
import { sharedSettings } from './backend.ts'
import { Product } from './product.ts'

/** Two processes on a primary whose standby lags, behind one address that a failover moves. */
export class PromotedBackend {
  #primary!: Postgres
  #standby!: Postgres
  #proxy!: TcpProxy
  #leader!: Postgres
  redis: Redis | null = null
  products: Product[] = []
  settings: Record<string, string> = {}

  static async start(store: string) {
    const backend = await PromotedBackend.withoutProducts(store)
    const settings = { ...backend.settings, ...WITH_ADMIN }
    for (let count = 1; count <= 2; count++) {
      backend.products.push(await Product.start({ ...settings }))
    }
    return backend
  }

  /** Starts only the servers, for products that a test starts itself. */
  static async withoutProducts(store: string) {
    const backend = new PromotedBackend()
    backend.#primary = await Postgres.start({ isDurable: true })
    backend.#leader = backend.#primary
    await backend.#primary.createDatabase('gatehouse')
    backend.#standby = await backend.#primary.startStandby()
    backend.#proxy = await TcpProxy.start(backend.#primary.port)
    backend.redis = store === 'redis' ? await Redis.start() : null
    backend.settings = backend.#sharedSettings()
    return backend
  }

  #sharedSettings(): Record<string, string> {
    const url = `postgres://gatehouse@127.0.0.1:${this.#proxy.port}/gatehouse`
    const ofRedis = this.redis && { STORE: 'redis', REDIS_URL: this.redis.url }
    return { ...sharedSettings(url), ...ofRedis }
  }

  /** From now on, the standby receives no commits. */
  loseCommits() {
    return this.#standby.fallBehind(this.#primary)
  }

  /** The primary crashes, and the standby takes over its place and address. */
  async failOver() {
    await this.#primary.stop('SIGQUIT')
    await this.#standby.promote()
    this.#leader = this.#standby
    this.#proxy.leadTo(this.#leader.port)
    await Promise.all(this.products.map((product) => product.answers('/health/ready')))
  }

  /** Returns the row of a user on the current primary. */
  async findUser(id: string) {
    const [row] = await this.query(`SELECT * FROM users WHERE id = '${id}'`)
    return row
  }

  query(sql: string) {
    return this.#leader.query(sql, 'gatehouse')
  }

  /** Waits until one of the processes has logged this text. */
  logged(text: string) {
    return until(() => this.products.some((product) => product.hasLogged(text)))
  }

  async remove() {
    for (const product of this.products) await product.remove()
    this.#proxy.close()
    await this.redis?.remove()
    await this.#standby.remove()
    await this.#primary.remove()
  }
}
