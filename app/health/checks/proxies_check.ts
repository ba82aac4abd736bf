import { BaseCheck, Result } from '@adonisjs/core/health'
import env from '#start/env'
import { isHttps } from '#config/app'
import { hasUntrustedProxy } from '#http/untrusted_proxy'

const NAMES_NONE = 'https, but no proxy is trusted: all users share the address of the proxy'

const NAMES_OTHERS =
  'a request had X-Forwarded-For, but TRUSTED_PROXIES does not name its proxy: its users share one address'

/**
 * Without a trusted proxy, all clients behind one have its address and share its limits. A command
 * receives no request, so that only the console tells of a proxy that was not named.
 */
export class ProxiesCheck extends BaseCheck {
  name = 'proxies'

  async run() {
    if (hasUntrustedProxy()) return warn(NAMES_OTHERS)
    if (isHttps && env.get('TRUSTED_PROXIES').length === 0) return warn(NAMES_NONE)
    return Result.ok('client addresses are known')
  }
}

function warn(message: string) {
  const remedy = 'Set TRUSTED_PROXIES to the network of your proxy, and restart.'
  return Result.warning(message).setMetaData({ remedy })
}
