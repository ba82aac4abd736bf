import { BaseCheck, Result } from '@adonisjs/core/health'
import { appUrl, isHttps } from '#config/app'

const LOCAL_URL = /^http:\/\/(localhost|127\.|\[::1\])/

export class ConfigurationCheck extends BaseCheck {
  name = 'configuration'

  async run() {
    if (isHttps) return Result.ok(`serves ${appUrl}`)
    if (LOCAL_URL.test(appUrl)) return Result.ok(`serves ${appUrl}, on this machine`)
    const remedy = 'Put a proxy with TLS in front and set APP_URL to https.'
    return Result.warning(`${appUrl} is plain http`).setMetaData({ remedy })
  }
}
