import { BaseCheck, Result } from '@adonisjs/core/health'
import { product } from '#config/app'

export class VersionCheck extends BaseCheck {
  name = 'version'

  async run() {
    return Result.ok(`${product} on Node ${process.versions.node}`)
  }
}
