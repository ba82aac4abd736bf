import { BaseCheck, Result } from '@adonisjs/core/health'
import env from '#start/env'
import { isHttps } from '#config/app'

/** Without a trusted proxy, all clients behind one have its address and share its limits. */
export class ProxiesCheck extends BaseCheck {
  name = 'proxies'

  async run() {
    if (!isHttps || env.get('TRUSTED_PROXIES').length > 0) {
      return Result.ok('client addresses are known')
    }
    const remedy = 'Set TRUSTED_PROXIES to the network of your proxy.'
    return Result.warning('https, but no proxy is trusted').setMetaData({ remedy })
  }
}
