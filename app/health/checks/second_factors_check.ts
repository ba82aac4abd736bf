import { BaseCheck, Result } from '@adonisjs/core/health'
import { countLostCodes } from '#setup/drop_old_secrets'
import { countLost } from '#setup/reencryption'

export class SecondFactorsCheck extends BaseCheck {
  name = 'second factors'

  async run() {
    const [secrets, codes] = [await countLost('MFA_ENCRYPTION_KEYS'), await countLostCodes()]
    if (secrets + codes === 0) return Result.ok('MFA_ENCRYPTION_KEYS has the key of each')
    const message = `no key for ${secrets} one-time secrets, ${codes} backup codes`
    const remedy = 'Put the entry of MFA_ENCRYPTION_KEYS back, or run user:reset-mfa for each user.'
    return Result.failed(message).setMetaData({ remedy })
  }
}
