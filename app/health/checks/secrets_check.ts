import { existsSync, statSync } from 'node:fs'
import { BaseCheck } from '@adonisjs/core/health'
import env from '#start/env'
import { failed, passed } from '#health/check_result'
import { sentence } from '#i18n/sentences'
import { KEYRINGS, secretsFile } from '#setup/environment/secrets_file'

export class SecretsCheck extends BaseCheck {
  name = 'secrets'

  async run() {
    const file = secretsFile(env.get('DATA_DIR'))
    const keyrings = { count: KEYRINGS.length }
    if (!existsSync(file)) return passed(sentence('secrets.environment', keyrings))
    const mode = statSync(file).mode & 0o777
    if (mode === 0o600) {
      return passed(sentence('secrets.file', { ...keyrings, entries: countEntries() }))
    }
    const finding = sentence('secrets.exposed', { mode: `0${mode.toString(8)}` })
    return failed(finding, sentence('secrets.remedy', { file }))
  }
}

function countEntries() {
  return KEYRINGS.flatMap((name) => env.get(name as 'APP_KEY')).length
}
