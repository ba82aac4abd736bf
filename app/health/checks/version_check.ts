import { BaseCheck, Result } from '@adonisjs/core/health'
import { product } from '#config/app'

/** Which version this is, for a report of a problem. */
export class VersionCheck extends BaseCheck {
  name = 'version'

  async run() {
    return Result.ok(`${product} on Node ${process.versions.node}`)
  }
}
