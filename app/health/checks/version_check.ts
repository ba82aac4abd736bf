import { BaseCheck } from '@adonisjs/core/health'
import { product } from '#config/app'
import { passed } from '#health/check_result'
import { sentence } from '#i18n/sentences'

export class VersionCheck extends BaseCheck {
  name = 'version'

  async run() {
    return passed(sentence('version.good', { product, node: process.versions.node }))
  }
}
