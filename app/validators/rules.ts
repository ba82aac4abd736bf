import vine from '@vinejs/vine'
import { canonicalEmail, EMAIL_MAX_LENGTH } from '#auth/email'
import { brokenRules } from '#auth/passwords/policy'
import passwords from '#config/passwords'

/*
 | The rules that validators share. What a rule accepts is also what the API documentation
 | says: both come from here.
 */

const canonicalEmailRule = vine.createRule(
  (value, _, field) => {
    const email = typeof value === 'string' ? canonicalEmail(value) : null
    if (!email) {
      field.report('The {{ field }} field must be a valid email address', 'email', field)
      return
    }
    field.mutate(email, field)
  },
  {
    name: 'email',
    toJSONSchema: (schema) =>
      Object.assign(schema, { format: 'email', maxLength: EMAIL_MAX_LENGTH }),
  }
)

/** An e-mail address; the validated value is its canonical form. */
export const email = () => vine.string().use(canonicalEmailRule())

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

/** A new password: every broken rule is reported, not only the first. */
export const newPassword = () => vine.string().use(passwordPolicyRule())

/** A password to compare: as long as any that could have been imported, and bounded. */
export const givenPassword = () => vine.string().minLength(1).maxLength(1_024)

const PRINTABLE = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u

const printableRule = vine.createRule(
  (value, _, field) => {
    if (typeof value === 'string' && !PRINTABLE.test(value)) {
      field.report(
        'The {{ field }} field must not contain invisible characters',
        'printable',
        field
      )
    }
  },
  { name: 'printable', toJSONSchema: () => {} }
)

/** A name that is shown to people: no control or direction characters that could disguise it. */
export const displayName = () =>
  vine.string().trim().minLength(1).maxLength(100).use(printableRule())

const storableRule = vine.createRule(
  (value, _, field) => {
    if (typeof value === 'string' && value.includes('\0')) {
      field.report('The {{ field }} field must not contain NUL characters', 'storable', field)
    }
  },
  { name: 'storable', toJSONSchema: () => {} }
)

/** Any text that a database can hold: Postgres takes no NUL. */
export const text = (maxLength: number) => vine.string().maxLength(maxLength).use(storableRule())

/** A token from a mail, as opaque to us as to its bearer. */
export const opaqueToken = () => vine.string().minLength(1).maxLength(256)

const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

const instantRule = vine.createRule(
  (value, _, field) => {
    const milliseconds = ISO_INSTANT.test(String(value)) ? Date.parse(String(value)) : Number.NaN
    if (!Number.isNaN(milliseconds)) return
    field.report(
      'The {{ field }} field must be a time such as 2026-01-31T12:00:00Z',
      'instant',
      field
    )
  },
  { name: 'instant', toJSONSchema: (schema) => Object.assign(schema, { format: 'date-time' }) }
)

/** A point in time in ISO 8601 with its zone; the validated value is in milliseconds since the epoch. */
export const instant = () =>
  vine
    .string()
    .use(instantRule())
    .transform((value) => Date.parse(value))

/** A one-time or backup code as somebody types it, with blanks or in lower case. */
export const mfaCode = () => vine.string().minLength(1).maxLength(64)
