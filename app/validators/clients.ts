import vine from '@vinejs/vine'
import limits from '#config/limits'
import { reauthentication } from './auth.ts'
import { clientFormRules, clientId, clientRules, clientSecret } from './client_rules.ts'
import { text } from './rules.ts'
import { parseCursor } from '#oidc/clients/client_list'

const identity = { clientId: clientId().optional(), clientSecret: clientSecret().optional() }

/** A preset may give the name. */
export const createClientValidator = vine.create({
  ...clientRules,
  ...identity,
  preset: text(limits.clientUri).optional(),
  url: text(limits.clientUri).optional(),
  ...reauthentication,
})

export const updateClientValidator = vine.create({
  ...clientRules,
  clientId: text(limits.clientId).optional(),
  ...reauthentication,
})

export const rotateSecretValidator = vine.create({
  clientSecret: clientSecret().optional(),
  ...reauthentication,
})

export const previewValidator = vine.create({ user: vine.string().uuid().toLowerCase() })

const cursorRule = vine.createRule(
  (value, _, field) => {
    if (typeof value === 'string' && parseCursor(value)) return
    field.report('The {{ field }} field must come from a Link of this list', 'cursor', field)
  },
  { name: 'cursor', toJSONSchema: (schema) => Object.assign(schema, { minLength: 1 }) }
)

const clientCursor = () => vine.string().maxLength(limits.cursor).use(cursorRule())

/** Without a cursor and a limit, a list contains as many clients as older callers expect. */
export const listClientsValidator = vine.create({
  cursor: clientCursor().optional(),
  limit: vine.number().withoutDecimals().min(1).max(limits.clientPage).optional(),
  search: text(limits.search).trim().minLength(1).optional(),
})

export const clientListValidator = vine.create({
  cursor: clientCursor().optional(),
  search: text(limits.search).trim().minLength(1).optional(),
})

/** A browser sends an empty field for a value that the server must generate. */
const orMissing = (value: unknown) => value ?? undefined

const formIdentity = {
  clientId: clientId().parse(orMissing).optional(),
  clientSecret: clientSecret().parse(orMissing).optional(),
}

export const newClientFormValidator = vine.create({ ...clientFormRules, ...formIdentity })

export const clientFormValidator = vine.create(clientFormRules)

export const rotationFormValidator = vine.create({ clientSecret: formIdentity.clientSecret })
