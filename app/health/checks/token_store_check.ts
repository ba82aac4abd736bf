import { BaseCheck, Result } from '@adonisjs/core/health'
import store from '#auth/store/service'

/** Each request asks it once or more. */
const SLOW_MS = 50

export class TokenStoreCheck extends BaseCheck {
  name = 'store'

  async run() {
    const startedAt = performance.now()
    await store.ping()
    const ms = Math.round(performance.now() - startedAt)
    if (ms >= SLOW_MS) {
      const remedy = 'Look for slow commands (SLOWLOG GET), swapping and the network between.'
      return Result.warning(`${store.driver} takes ${ms} ms to answer`).setMetaData({ remedy })
    }
    const warnings = await store.warnings()
    if (warnings.length === 0) return Result.ok(`${store.driver} answers`)
    const remedy = 'See docs/deploy.md, “Redis”.'
    return Result.warning(warnings.join('; ')).setMetaData({ remedy })
  }
}
