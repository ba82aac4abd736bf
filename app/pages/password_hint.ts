import passwords from '#config/passwords'
import type { I18n } from '@adonisjs/i18n'

/** The password policy in one line, shown under the field of a new password. */
export function passwordHint(i18n: I18n) {
  return i18n.t(`console.password_hint.${passwords.policy}`, { min: passwords.minLength })
}
