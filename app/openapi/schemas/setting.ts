import type { ListedProvider } from '#settings/external_providers'
import type { Setting } from '#settings/list_settings'
import { record, type Schema } from '../schema.ts'
import { text, yesNo } from './fields.ts'

/** Texts of the environment, or booleans and numbers. */
export const settingValue: Schema = {
  anyOf: [{ type: 'string', nullable: true }, { type: 'number' }, { type: 'boolean' }],
}

export const setting = record<Setting>(
  {
    key: { ...text, description: 'Named as the variable.', example: 'BRAND_NAME' },
    value: {
      ...settingValue,
      description: '`set` for a secret that has a value.',
      example: 'Acme',
    },
    source: { ...text, enum: ['default', 'environment', 'console'], example: 'console' },
    default: { ...settingValue, example: 'Gatehouse' },
    writable: { ...yesNo, description: 'False if the environment sets it or it needs a restart.' },
    secret: { ...yesNo, example: false },
    description: { ...text, example: 'Name of your service on pages and in mails' },
    hidden: { ...yesNo, description: 'True while the environment hides a stored value.' },
  },
  ['hidden']
)

export const externalProvider = record<ListedProvider>(
  {
    name: { ...text, example: 'acme' },
    issuer: { ...text, format: 'uri', example: 'https://login.acme.example' },
    clientId: { ...text, example: 'gatehouse' },
    source: { ...text, enum: ['environment', 'console'], example: 'console' },
    writable: yesNo,
    hidden: { ...yesNo, description: 'True while the environment hides a stored provider.' },
  },
  ['hidden']
)
