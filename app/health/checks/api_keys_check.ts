import { BaseCheck } from '@adonisjs/core/health'
import { findExpiringKeys } from '#auth/api_keys/expiring'
import { passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'

export class ApiKeysCheck extends BaseCheck {
  name = 'API keys'

  async run() {
    const [first, ...others] = await findExpiringKeys()
    if (!first) return passed(sentence('api_keys.good'))
    const day = new Date(first.expiresAt).toISOString().slice(0, 10)
    const finding = sentence('api_keys.expires', { name: first.name, day, more: others.length })
    return warning(finding, sentence('api_keys.remedy', { owner: first.owner }))
  }
}
