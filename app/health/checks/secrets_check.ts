import { existsSync, statSync } from 'node:fs'
import { BaseCheck, Result } from '@adonisjs/core/health'
import env from '#start/env'
import { KEYRINGS, secretsFile } from '#setup/environment/secrets_file'

export class SecretsCheck extends BaseCheck {
  name = 'secrets'

  async run() {
    const file = secretsFile(env.get('DATA_DIR'))
    if (!existsSync(file)) return Result.ok(`${KEYRINGS.length} keyrings from the environment`)
    const mode = statSync(file).mode & 0o777
    if (mode === 0o600) {
      return Result.ok(`${KEYRINGS.length} keyrings, ${countEntries()} entries, mode 0600`)
    }
    const remedy = `Run chmod 600 ${file} as its owner.`
    return Result.failed(`secrets.json has mode 0${mode.toString(8)}`).setMetaData({ remedy })
  }
}

function countEntries() {
  return KEYRINGS.flatMap((name) => env.get(name as 'APP_KEY')).length
}
