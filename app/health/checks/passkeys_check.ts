import ipaddr from 'ipaddr.js'
import { BaseCheck, Result } from '@adonisjs/core/health'
import { appUrl } from '#config/app'
import settings from '#config/passkeys'

/** Browsers offer passkeys to a page with a host name, over https or on this machine. */
export class PasskeysCheck extends BaseCheck {
  name = 'passkeys'

  async run() {
    const problem = problemOf(new URL(appUrl))
    if (!problem) return Result.ok(`work at ${settings.rpId}`)
    const remedy = 'Set APP_URL to https and a host name; on this machine to http://localhost.'
    return Result.warning(problem).setMetaData({ remedy })
  }
}

export function problemOf({ protocol, hostname }: URL) {
  const isAddress = ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))
  if (isAddress) return 'APP_URL is an IP address: browsers refuse passkeys there'
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isSecure ? null : 'APP_URL is plain http: browsers refuse passkeys there'
}
