import { secretPurpose } from '#auth/mfa/totp'
import { privateKeyPurpose } from '#auth/signing_keys/key_pair'
import { SECRET_SETTINGS } from '#settings/values/definitions'
import { providerPurpose, settingPurpose } from '#settings/values/secrets'
import { ENCRYPTED_RECORDS } from '#oidc/records/record_rows'
import { secretPurpose as webhookPurpose } from '#webhooks/secrets'

// A column that is missing here loses its values when an entry is dropped
// (`tests/process/secrets_drop.spec.ts`). `audit_keys` needs the last entry of `APP_KEY`, which is
// never dropped.

export interface EncryptedColumn {
  /** A description for operators. */
  content: string
  keyring: 'APP_KEY' | 'MFA_ENCRYPTION_KEYS'
  table: string
  key: string
  column: string
  /** Only rows with these values have an encrypted value. */
  only?: { column: string; values: string[] }
  purposeOf: (row: Record<string, string>) => string | undefined
}

export const ENCRYPTED_COLUMNS: EncryptedColumn[] = [
  {
    content: 'one-time secrets',
    keyring: 'MFA_ENCRYPTION_KEYS',
    table: 'users',
    key: 'id',
    column: 'mfa_secret',
    purposeOf: ({ id }) => secretPurpose(id),
  },
  {
    content: 'one-time secrets that wait for their first code',
    keyring: 'MFA_ENCRYPTION_KEYS',
    table: 'mfa_enrolments',
    key: 'user_id',
    column: 'secret',
    purposeOf: ({ user_id: userId }) => secretPurpose(userId),
  },
  {
    content: 'private signing keys',
    keyring: 'APP_KEY',
    table: 'signing_keys',
    key: 'kid',
    column: 'private_key',
    purposeOf: ({ kid }) => privateKeyPurpose(kid),
  },
  {
    content: 'contents of queued mails',
    keyring: 'APP_KEY',
    table: 'mails',
    key: 'id',
    column: 'payload',
    purposeOf: () => undefined,
  },
  {
    content: 'settings of the console',
    keyring: 'APP_KEY',
    table: 'settings',
    key: 'key',
    column: 'value',
    only: { column: 'key', values: SECRET_SETTINGS },
    purposeOf: ({ key }) => settingPurpose(key),
  },
  {
    content: 'secrets of external providers',
    keyring: 'APP_KEY',
    table: 'external_providers',
    key: 'name',
    column: 'client_secret',
    purposeOf: ({ name }) => providerPurpose(name),
  },
  {
    content: 'requests of applications',
    keyring: 'APP_KEY',
    table: 'oauth_records',
    key: 'id_hash',
    column: 'payload',
    only: { column: 'kind', values: [...ENCRYPTED_RECORDS] },
    purposeOf: ({ kind }) => kind,
  },
  {
    content: 'secrets of webhooks',
    keyring: 'APP_KEY',
    table: 'webhooks',
    key: 'id',
    column: 'secret',
    purposeOf: ({ id }) => webhookPurpose(id),
  },
  {
    content: 'previous secrets of webhooks',
    keyring: 'APP_KEY',
    table: 'webhooks',
    key: 'id',
    column: 'previous_secret',
    purposeOf: ({ id }) => webhookPurpose(id),
  },
]
