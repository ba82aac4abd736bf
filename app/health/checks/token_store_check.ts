import { BaseCheck } from '@adonisjs/core/health'
import store from '#auth/store/service'
import { passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'

/** Each request calls the store at least one time. */
const SLOW_MS = 50

export class TokenStoreCheck extends BaseCheck {
  name = 'store'

  async run() {
    const startedAt = performance.now()
    await store.ping()
    const ms = Math.round(performance.now() - startedAt)
    const { driver } = store
    if (ms >= SLOW_MS) return warning(sentence('store.slow', { driver, ms }), slowRemedy())
    const warnings = await store.warnings()
    if (warnings.length === 0) return passed(sentence('store.good', { driver }))
    return warning(warnings, sentence('store.remedy'))
  }
}

/** Without Redis, the database is the token store. */
function slowRemedy() {
  return sentence(store.driver === 'redis' ? 'store.redis_remedy' : 'store.database_remedy')
}
