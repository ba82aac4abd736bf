import app from '@adonisjs/core/services/app'
import { BaseCheck } from '@adonisjs/core/health'
import env from '#start/env'
import { isHttps } from '#config/app'
import { passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'
import { hasUntrustedProxy } from '#http/untrusted_proxy'

/**
 * Without a trusted proxy, all clients behind a proxy have its address and share its limits. A
 * command receives no requests, so only the console can warn of a proxy that was not named.
 */
export class ProxiesCheck extends BaseCheck {
  name = 'proxies'

  async run() {
    if (hasUntrustedProxy()) return warn('proxies.unnamed')
    if (isHttps && env.get('TRUSTED_PROXIES').length === 0) return warn('proxies.none')
    const isCommand = app.getEnvironment() === 'console'
    return passed(sentence(isCommand ? 'proxies.settings' : 'proxies.good'))
  }
}

function warn(key: 'proxies.unnamed' | 'proxies.none') {
  return warning(sentence(key), sentence('proxies.remedy'))
}
