import { BaseCheck, Result } from '@adonisjs/core/health'

/** The contract allows GET /health/database and /health/redis one second. */
const TIMEOUT_MS = 900

export abstract class ConnectionCheck extends BaseCheck {
  abstract driver: string

  #running: Promise<Result> | undefined

  protected abstract ping(): Promise<unknown>

  /** Requests share a check that is running: they must not pile up on a database that hangs. */
  run() {
    this.#running ??= this.#measure().finally(() => (this.#running = undefined))
    return this.#running
  }

  async #measure() {
    const startedAt = performance.now()
    const result = await this.#pingInTime()
    const latencyMs = Math.round((performance.now() - startedAt) * 10) / 10
    return result.setMetaData({ driver: this.driver, latencyMs })
  }

  #pingInTime() {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('timed out')), TIMEOUT_MS)
    })
    return Promise.race([this.ping(), timeout])
      .then(() => Result.ok('answers'))
      .catch((error: Error) => Result.failed(error.message))
      .finally(() => clearTimeout(timer))
  }
}
