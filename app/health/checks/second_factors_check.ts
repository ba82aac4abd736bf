import { BaseCheck } from '@adonisjs/core/health'
import { failed, passed } from '#health/check_result'
import { sentence } from '#i18n/sentences'
import { countLostCodes } from '#setup/drop_old_secrets'
import { countLost } from '#setup/reencryption'

export class SecondFactorsCheck extends BaseCheck {
  name = 'second factors'

  async run() {
    const [secrets, codes] = [await countLost('MFA_ENCRYPTION_KEYS'), await countLostCodes()]
    if (secrets + codes === 0) return passed(sentence('second_factors.good'))
    const finding = sentence('second_factors.lost', { secrets, codes })
    return failed(finding, sentence('second_factors.remedy'))
  }
}
