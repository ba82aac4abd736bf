import vine from '@vinejs/vine'
import limits from '#config/limits'
import { canonicalEmail } from '#models/email'
import { isDisplayName } from '#models/display_name'
import { isSupportedLocale } from '#i18n/locales'
import './messages.ts'

/* Each rule also describes itself in JSON Schema, from which the API description is generated. */

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

/** The validated value is the canonical form. */
export const email = () => vine.string().use(canonicalEmailRule())

/** Read only to recognise a record that is sent back, which drops no pending address. */
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

const BLANKS_AT_ENDS = /^\p{Zs}+|\p{Zs}+$/gu

/** `trim` of the validator would also remove invisible characters, which have to be refused. */
const withoutBlanksRule = vine.createRule(
  (value, _, field) => {
    if (typeof value === 'string') field.mutate(value.replace(BLANKS_AT_ENDS, ''), field)
  },
  { name: 'withoutBlanks', toJSONSchema: () => {} }
)

export const displayName = () =>
  vine
    .string()
    .use(withoutBlanksRule())
    .minLength(1)
    .maxLength(limits.displayName)
    .use(printableRule())

/** A handle is neither trimmed nor case-folded, because applications compare it unchanged. */
export const handle = () => vine.string().regex(/^[a-z0-9][a-z0-9._-]{0,62}$/)

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

export const locale = () => vine.string().use(localeRule())

/** Any name, because a user may keep a role that `EXTRA_ROLES` no longer names. `updateUser` refuses new ones. */
export const keptRole = () => vine.string().regex(/^[A-Za-z][\w-]{0,31}$/)

const storableRule = vine.createRule(
  (value, _, field) => {
    if (typeof value === 'string' && value.includes('\0')) {
      field.report('The {{ field }} field must not contain NUL characters', 'storable', field)
    }
  },
  { name: 'storable', toJSONSchema: () => {} }
)

/** Postgres refuses NUL in a text. */
export const text = (maxLength: number) => vine.string().maxLength(maxLength).use(storableRule())

const metadataRule = vine.createRule(() => {}, {
  name: 'metadata',
  toJSONSchema: (schema) => {
    delete schema.anyOf
    Object.assign(schema, { type: 'object', examples: [{ plan: 'pro' }] })
  },
})

/** `mergeMetadata` checks the value when it merges it. */
export const metadata = () => vine.any().use(metadataRule()).optional()

/** The server only looks up the hash, so the form of a token does not matter. */
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

/** ISO 8601 with a zone. The validated value is in milliseconds since the epoch. */
export const instant = () =>
  vine
    .string()
    .use(instantRule())
    .transform((value) => Date.parse(value))

/** Users may type blanks or lower case. */
export const mfaCode = () => vine.string().minLength(1).maxLength(limits.mfaCode)
