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
        description:
          'By default with an uppercase letter, a lowercase letter, a digit and one of !@#$%^&* (`PASSWORD_POLICY`).',
      }),
  }
)

/** Reports every broken rule. */
export const newPassword = () => vine.string().use(passwordPolicyRule())

/** Checks the length first, so that a short password gets only this error. */
export const newUserPassword = () =>
  vine.string().minLength(passwords.minLength).use(passwordPolicyRule())

/** The limit bounds the work of hashing; imported passwords may be long. */
export const givenPassword = () => vine.string().minLength(1).maxLength(limits.givenPassword)
