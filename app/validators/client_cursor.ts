import vine from '@vinejs/vine'
import limits from '#config/limits'
import { parseCursor } from '#oidc/clients/client_list'

const cursorRule = vine.createRule(
  (value, _, field) => {
    if (typeof value === 'string' && parseCursor(value)) return
    field.report('The {{ field }} field must come from a Link of this list', 'cursor', field)
  },
  { name: 'cursor', toJSONSchema: (schema) => Object.assign(schema, { minLength: 1 }) }
)

export const clientCursor = () => vine.string().maxLength(limits.cursor).use(cursorRule())
