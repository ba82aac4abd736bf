import { BaseCheck, Result } from '@adonisjs/core/health'
import { findExpiringKeys } from '#auth/api_keys/expiring'

export class ApiKeysCheck extends BaseCheck {
  name = 'API keys'

  async run() {
    const [first, ...others] = await findExpiringKeys()
    if (!first) return Result.ok('none expires within a week')
    const day = new Date(first.expiresAt).toISOString().slice(0, 10)
    const more = others.length > 0 ? `, and ${others.length} more` : ''
    const remedy = 'Create another key for what uses it, then revoke this one.'
    const message = `“${first.name}” expires on ${day}${more}`
    return Result.warning(message).setMetaData({ remedy })
  }
}
