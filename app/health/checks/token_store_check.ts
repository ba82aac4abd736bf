import { BaseCheck, Result } from '@adonisjs/core/health'
import store from '#auth/store/service'

export class TokenStoreCheck extends BaseCheck {
  name = 'store'

  async run() {
    await store.ping()
    const warnings = await store.warnings()
    if (warnings.length === 0) return Result.ok(`${store.driver} answers`)
    const remedy = 'See docs/deploy.md, “Redis”.'
    return Result.warning(warnings.join('; ')).setMetaData({ remedy })
  }
}
