/*
 | Each table of the product is named here: a backup keeps it, or leaves it out for a reason
 | (`tests/functional/backup/tables.spec.ts` fails for a table without a name, and for a column that
 | is neither open nor secret). A restore fills them in this order, so a table comes after those
 | that it refers to. The test knows a table without a model by its name in `config/database.ts`.
 */

export interface KeptTable {
  isKept: true
  /** Rows are read in this order, so that both databases write the same archive. */
  key: string[]
  /** Columns that triggers fill, or that mean nothing after a restore. */
  without: string[]
  /** Columns that are null in an archive without encryption. */
  secret: string[]
  /** Whether an archive without encryption contains none of its rows. */
  isSecret: boolean
  /** A boolean column: an archive without encryption contains no row in which it is true. */
  secretRows: string | null
}

export interface LeftOutTable {
  isKept: false
  because: string
  /** Whether a restore leaves its rows unchanged. */
  stays: boolean
}

type Kept = Partial<Omit<KeptTable, 'isKept' | 'key'>>

const ALL_OPEN = { without: [], secret: [], isSecret: false, secretRows: null }

function kept(key: string[], secrets: Kept = {}): KeptTable {
  return { isKept: true, key, ...ALL_OPEN, ...secrets }
}

function leftOut(because: string, { stays = false } = {}): LeftOutTable {
  return { isKept: false, because, stays }
}

const [SESSIONS, WAITING] = ['every session ends', 'it waits for a request of a few minutes']
const [LIMITS, DERIVED] = ['limits begin anew', 'triggers or a start fill it']
const INSTALLATION = 'it is about one installation'
const UNSENT = 'a restored copy sends nothing that was queued earlier'

export const TABLES: Record<string, KeptTable | LeftOutTable> = {
  installation: kept(['id'], { without: ['setup_token_hash', 'token_store', 'redis_id'] }),
  users: kept(['id'], {
    /** The link of a pending address does not work any more. */
    without: ['version', 'version_id', 'pending_email', 'pending_email_at'],
    secret: ['password', 'mfa_secret'],
  }),
  handles: kept(['hash']),
  identities: kept(['id']),
  avatars: kept(['name']),
  known_devices: kept(['user_id', 'fingerprint'], { without: ['token_id'] }),
  mfa_backup_codes: kept(['user_id', 'code_hash'], { isSecret: true }),
  passkeys: kept(['id']),
  api_keys: kept(['id'], { isSecret: true }),
  signing_keys: kept(['kid'], { isSecret: true }),
  groups: kept(['id'], { without: ['member_count'] }),
  group_members: kept(['user_id', 'group_id']),
  group_deletions: kept(['group_id']),
  provider_memberships: kept(['user_id', 'provider']),
  oauth_clients: kept(['id'], { secret: ['secret_hash', 'former_secret_hash', 'secret_digest'] }),
  /** A row may hold a password. */
  settings: kept(['key'], { secretRows: 'encrypted' }),
  external_providers: kept(['name'], { secret: ['client_secret'] }),
  oauth_client_logos: kept(['id']),
  managed_records: kept(['kind', 'record_id']),
  /** A restore finishes these deletions: a new client with the id must not get the consents. */
  client_deletions: kept(['client_id']),
  oauth_consents: kept(['id']),
  oauth_consent_scopes: kept(['consent_id', 'resource', 'scope']),
  /** Deliveries begin at the end of the restored trail. */
  webhooks: kept(['id'], {
    without: ['starts_with', 'cut_sequence', 'cut_at', 'first_failure_at'],
    isSecret: true,
  }),
  /** Its keys are encrypted under `APP_KEY`, which an archive without encryption does not carry. */
  audit_keys: kept(['id']),
  audit_erasures: kept(['key_id']),
  audit_events: kept(['id']),
  audit_chain: kept(['id']),

  sessions: leftOut(SESSIONS),
  revoked_tokens: leftOut(SESSIONS),
  revocations: leftOut(SESSIONS),
  oauth_records: leftOut(SESSIONS),
  login_attempts: leftOut(LIMITS),
  rate_limits: leftOut(LIMITS),
  audit_floods: leftOut(LIMITS),
  oauth_refusals: leftOut('it is about the last day'),
  one_time_tokens: leftOut(WAITING),
  address_codes: leftOut(WAITING),
  mfa_enrolments: leftOut(WAITING),
  mfa_challenges: leftOut(WAITING),
  external_states: leftOut(WAITING),
  external_logins: leftOut(WAITING),
  passkey_challenges: leftOut(WAITING),
  mails: leftOut(UNSENT),
  mail_erasures: leftOut(UNSENT),
  queue_jobs: leftOut(UNSENT),
  queue_schedules: leftOut(UNSENT),
  queue_receivers: leftOut(UNSENT),
  webhook_deliveries: leftOut(UNSENT),
  webhook_lanes: leftOut(UNSENT),
  webhook_state: leftOut(INSTALLATION, { stays: true }),
  oauth_client_documents: leftOut('it is read again'),
  configuration_version: leftOut(DERIVED, { stays: true }),
  user_counts: leftOut(DERIVED),
  unfinished_restores: leftOut(INSTALLATION, { stays: true }),
  processes: leftOut(INSTALLATION, { stays: true }),
  outbound_pauses: leftOut('a restore pauses anew'),
  backup_state: leftOut(INSTALLATION, { stays: true }),
  backup_files: leftOut(INSTALLATION, { stays: true }),
  adonis_schema: leftOut('the manifest names the migrations', { stays: true }),
  adonis_schema_versions: leftOut('the manifest names the migrations', { stays: true }),
}

/** The search index of SQLite has tables of its own. */
export function isOfSearchIndex(table: string) {
  return table.startsWith('user_names')
}

export const KEPT_TABLES = Object.entries(TABLES).filter(
  (entry): entry is [string, KeptTable] => entry[1].isKept
)
