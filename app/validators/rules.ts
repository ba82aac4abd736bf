import vine from '@vinejs/vine'
import limits from '#config/limits'
import { canonicalEmail } from '#models/email'
import { isDisplayName } from '#users/display_name'
import { isSupportedLocale } from '#i18n/locales'
import './messages.ts'

/*
 | The rules that validators share. Each also says in JSON Schema what it accepts, from
 | which the API description is generated.
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
    toJSONSchema: (schema) => Object.assign(schema, { format: 'email', maxLength: limits.email }),
  }
)

/** An e-mail address. The validated value is its canonical form. */
export const email = () => vine.string().use(canonicalEmailRule())

/** Read only to recognise a record that is sent back: its `email` drops no pending address. */
export const pendingEmail = () => vine.string().maxLength(limits.email).nullable().optional()

const printableRule = vine.createRule(
  (value, _, field) => {
    if (typeof value === 'string' && !isDisplayName(value)) {
      field.report(
        'The {{ field }} field must not contain invisible characters',
        'printable',
        field
      )
    }
  },
  { name: 'printable', toJSONSchema: () => {} }
)

/** A name that other users see. */
export const displayName = () =>
  vine.string().trim().minLength(1).maxLength(limits.displayName).use(printableRule())

const localeRule = vine.createRule(
  (value, _, field) => {
    if (isSupportedLocale(value)) return
    field.report('The {{ field }} field must be a language of this installation', 'locale', field)
  },
  {
    name: 'locale',
    toJSONSchema: (schema) => Object.assign(schema, { maxLength: 35, examples: ['de'] }),
  }
)

/** The language in which a user reads pages and mails. */
export const locale = () => vine.string().use(localeRule())

/**
 * The role in a change of a user: any name of that form, because a user may keep a role that
 * `EXTRA_ROLES` no longer names. `updateUser` refuses a change to such a role.
 */
export const keptRole = () => vine.string().regex(/^[A-Za-z][\w-]{0,31}$/)

const storableRule = vine.createRule(
  (value, _, field) => {
    if (typeof value === 'string' && value.includes('\0')) {
      field.report('The {{ field }} field must not contain NUL characters', 'storable', field)
    }
  },
  { name: 'storable', toJSONSchema: () => {} }
)

/** Text that a database can store: Postgres refuses NUL. */
export const text = (maxLength: number) => vine.string().maxLength(maxLength).use(storableRule())

/** A one-time token: the server reads nothing from it and only looks up its hash. */
export const opaqueToken = () => vine.string().minLength(1).maxLength(limits.oneTimeToken)

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

/** A time in ISO 8601 with a zone. The validated value is in milliseconds since the epoch. */
export const instant = () =>
  vine
    .string()
    .use(instantRule())
    .transform((value) => Date.parse(value))

/** A one-time or backup code as users type it, perhaps with blanks or in lower case. */
export const mfaCode = () => vine.string().minLength(1).maxLength(limits.mfaCode)
