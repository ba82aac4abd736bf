import vine from '@vinejs/vine'
import limits from '#config/limits'
import { brokenRules } from '#auth/passwords/policy'
import passwords from '#config/passwords'

const passwordPolicyRule = vine.createRule(
  (value, _, field) => {
    if (typeof value !== 'string') return
    for (const { rule, message, terms } of brokenRules(value)) {
      field.report(message, rule, field, terms)
    }
  },
  {
    name: 'password',
    toJSONSchema: (schema) =>
      Object.assign(schema, {
        format: 'password',
        minLength: passwords.minLength,
        maxLength: passwords.maxLength,
      }),
  }
)

/** A new password. Every broken rule is reported, not only the first. */
export const newPassword = () => vine.string().use(passwordPolicyRule())

/**
 * The password of CreateUserDto: a text of the least length, which is its shape, and then
 * the policy. One that is too short gets only the error of its shape.
 */
export const newUserPassword = () =>
  vine.string().minLength(passwords.minLength).use(passwordPolicyRule())

/** A password to compare with a hash. The limit bounds the work; imported passwords may be long. */
export const givenPassword = () => vine.string().minLength(1).maxLength(limits.givenPassword)
