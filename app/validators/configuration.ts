import vine from '@vinejs/vine'
import limits from '#config/limits'
import { clientRules, isPlainClientId } from './client_rules.ts'
import { createGroupValidator, groupNames } from './groups.ts'
import { displayName, keptRole, text } from './rules.ts'
import { updateWebhookFields } from './webhooks.ts'

/* Entries of a configuration file are validated by the rules of the API. */

/** Ids of other products may have more signs. An https address is the id of a metadata document. */
const clientIdRule = vine.createRule(
  (value, _, field) => {
    if (typeof value === 'string' && isConfigurationClientId(value)) return
    const form = '2 to 100 letters, digits or signs of . _ ~ - : / @, and not begin with https://'
    field.report(`The {{ field }} field must have ${form}`, 'clientId', field)
  },
  { name: 'configurationClientId', toJSONSchema: () => {} }
)

function isConfigurationClientId(value: string) {
  return isPlainClientId(value.replaceAll(/[:/@]/g, '-')) && !value.startsWith('https://')
}

const { serviceAccountId, ...settings } = clientRules

export const clientEntryValidator = vine.create({
  ...settings,
  clientId: vine.string().use(clientIdRule()),
  serviceAccount: displayName().nullable().optional(),
})

export const groupEntryValidator = createGroupValidator

export const accountEntryValidator = vine.create({
  username: displayName(),
  role: keptRole().optional(),
  groups: groupNames().optional(),
})

/** The name identifies the webhook. */
export const webhookEntryValidator = vine.create({
  ...updateWebhookFields,
  name: displayName(),
})

export const sourceValidator = vine.create({
  source: text(limits.displayName)
    .regex(/^[\w.:/-]+$/)
    .optional(),
})
