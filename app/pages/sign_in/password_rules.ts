import type { I18n } from '@adonisjs/i18n'
import passwords from '#config/passwords'

/** Rules that can be shown before a password is sent, unlike the list of common passwords. */
const RULES =
  passwords.policy === 'composition'
    ? ['minLength', 'uppercase', 'lowercase', 'digit', 'special']
    : ['minLength']

/** The texts are the messages of the validator, so that a page shows each rule once. */
export function passwordRules(i18n: I18n) {
  const min = passwords.minLength
  return RULES.map((rule) => ({
    rule,
    min,
    text: i18n.t(`errors.validation.messages.${rule}`, { min }),
  }))
}
