import { BaseCheck } from '@adonisjs/core/health'
import { appUrl, isHttps } from '#config/app'
import { passed, warning } from '#health/check_result'
import { sentence } from '#i18n/sentences'

const LOCAL_URL = /^http:\/\/(localhost|127\.|\[::1\])/

export class ConfigurationCheck extends BaseCheck {
  name = 'configuration'

  async run() {
    const url = { url: appUrl }
    if (isHttps) return passed(sentence('configuration.good', url))
    if (LOCAL_URL.test(appUrl)) return passed(sentence('configuration.local', url))
    return warning(sentence('configuration.http', url), sentence('configuration.http_remedy'))
  }
}
