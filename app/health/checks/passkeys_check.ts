import ipaddr from 'ipaddr.js'
import { BaseCheck } from '@adonisjs/core/health'
import { appUrl } from '#config/app'
import settings from '#config/passkeys'
import { passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'

/** Browsers offer passkeys to a page with a host name, over https or on this machine. */
export class PasskeysCheck extends BaseCheck {
  name = 'passkeys'

  async run() {
    const problem = problemOf(new URL(appUrl))
    if (!problem) return passed(sentence('passkeys.good', { host: settings.rpId }))
    return warning(problem, sentence('passkeys.remedy'))
  }
}

export function problemOf({ protocol, hostname }: URL) {
  const isAddress = ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))
  if (isAddress) return sentence('passkeys.ip')
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isSecure ? null : sentence('passkeys.http')
}
