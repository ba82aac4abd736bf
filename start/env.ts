import { Env, EnvProcessor } from '@adonisjs/core/env'
import { findIneffective, findUnsuitable } from '#setup/environment/ineffective_settings'
import { findMisspelt, findOtherFiles } from '#setup/environment/misspelt_settings'
import { readClient, readGithub } from '#setup/environment/named_clients'
import { providerVariables, readOidcProviders } from '#setup/environment/oidc_clients'
import { restrictNewFiles } from '#setup/environment/data_dir'
import { givenOf } from '#setup/environment/given_values'
import { loopbackAddresses } from '#setup/environment/loopback'
import { provisionSecrets } from '#setup/environment/secrets'
import { readSecretFiles, secretFileSettings } from '#setup/environment/secret_files'
import { assertSettings } from '#setup/environment/assertions'
import {
  choice,
  duration,
  durationOrOff,
  flag,
  integer,
  list,
  text,
} from '#setup/environment/rules'
import {
  address,
  addresses,
  domains,
  domainsOr,
  listenAddress,
  mailbox,
  networks,
  ownAddress,
} from '#setup/environment/address_rules'
import { databaseAddress } from '#setup/environment/database_rules'
import { tokenClaims } from '#setup/environment/token_claims_rules'
import { brandColor, brandName, webAddress } from '#setup/environment/brand_rules'
import { passkeyOrigins, relyingPartyId } from '#setup/environment/passkey_rules'
import {
  redisAddress,
  sentinels,
  sentinelsWithPassword,
  servers,
} from '#setup/environment/redis_rules'
import { keyring } from '#setup/environment/secret_rules'

// Every setting with its default, validated once, at start. The tables of
// `docs/configuration.md` are compared with it by `tests/unit/configuration.spec.ts`.
const dotEnv = await new EnvProcessor(new URL('../', import.meta.url)).process()
const values: Record<string, string | undefined> = { ...dotEnv, ...process.env }

/** Settings that only the environment of this process gives: no file keeps them for commands. */
export const givenSettings = new Set(Object.keys(process.env).filter((name) => !dotEnv[name]))

restrictNewFiles()
readSecretFiles(values)
/** Values of the environment take precedence over the console. */
export const givenValues = givenOf(values)
provisionSecrets(values)

/** A named mail server is used; without one, mails become files. */
values.MAIL_MAILER ||= values.SMTP_HOST ? 'smtp' : 'outbox'

values.REDIS_SENTINELS = sentinelsWithPassword(values)

/** The API contract keeps the earlier name. */
values.ADMIN_REQUIRE_MFA ||= values.CONSOLE_REQUIRE_MFA

const others = { NODE_ENV: choice('production', 'development', 'test'), GITHUB_URL: address() }

export const rules = {
  HOST: listenAddress(),
  PORT: integer(3333, { max: 65_535 }),
  APP_URL: ownAddress(),
  DATA_DIR: text('./data'),
  LOG_LEVEL: choice('info', 'trace', 'debug', 'warn', 'error', 'fatal', 'silent'),
  TRUSTED_PROXIES: networks(),
  OUTBOUND_ALLOWED_NETWORKS: networks(),
  CORS_ORIGINS: list(
    /^(\*|https?:\/\/[^/]+)$/,
    'must list origins such as https://app.example.org'
  ),

  DB_CONNECTION: choice('sqlite', 'pg'),
  DATABASE_URL: databaseAddress(),
  DB_HOST: text('127.0.0.1'),
  DB_PORT: integer(5432, { min: 1, max: 65_535 }),
  DB_USER: text('gatehouse'),
  DB_PASSWORD: text(),
  DB_DATABASE: text('gatehouse'),
  AUTO_MIGRATE: flag(true),
  STORE: choice('database', 'redis'),
  REDIS_URL: redisAddress('redis://127.0.0.1:6379'),
  REDIS_CLUSTER_NODES: servers(),
  REDIS_SENTINELS: sentinels(),
  REDIS_SENTINEL_NAME: text('mymaster'),

  APP_KEY: keyring(),
  JWT_ACCESS_SECRETS: keyring(),
  JWT_REFRESH_SECRETS: keyring(),
  MFA_ENCRYPTION_KEYS: keyring(),

  CONFIG_FILES: list(),

  ADMIN_EMAIL: text(),
  ADMIN_PASSWORD: text(),
  EXTRA_ROLES: list(/^[A-Za-z][\w-]{0,31}$/, 'must list names of letters, digits, - and _'),

  ACCESS_TOKEN_TTL: duration('15m', { min: 1_000 }),
  ACCESS_TOKEN_ALGORITHM: choice('HS256', 'ES256', 'EdDSA'),
  TOKEN_AUDIENCE: text(),
  TOKEN_CLAIMS: tokenClaims(),
  KEY_ROTATION: durationOrOff({ min: 3_600_000 }),
  REFRESH_TOKEN_TTL: duration('7d', { min: 1_000 }),
  REFRESH_ROTATION: choice('off', 'on'),
  AUTH_COOKIES: choice('off', 'on'),

  LOGIN_THROTTLE_LIMIT: integer(5),
  LOGIN_THROTTLE_WINDOW: duration('1m', { min: 1_000 }),
  LOGIN_THROTTLE_KEY: choice('ip_email', 'ip'),
  LOGIN_IP_LIMIT: integer(100),
  REGISTER_IP_LIMIT: integer(10),
  LOCKOUT_THRESHOLD: integer(5, { min: 1, max: 100 }),
  LOCKOUT_WINDOW: duration('15m', { min: 1_000 }),
  LOCKOUT_DURATION: duration('30m', { min: 1_000 }),
  LOCKOUT_KNOWN_DEVICES: choice('on', 'off'),

  SIGN_UP: choice('open', 'invite'),
  SIGN_UP_DOMAINS: domains(),
  PASSWORD_POLICY: choice('composition', 'length'),
  PASSWORD_BLOCKLIST: choice('off', 'on'),
  HASH_QUEUE_LIMIT: integer(32, { min: 1, max: 10_000 }),
  REQUIRE_VERIFIED_EMAIL: flag(false),
  MAIL_MAILER: choice('outbox', 'smtp'),
  MAIL_FROM: mailbox('Gatehouse <no-reply@localhost>'),
  SMTP_HOST: text('127.0.0.1'),
  SMTP_PORT: integer(587, { min: 1, max: 65_535 }),
  SMTP_USERNAME: text(),
  SMTP_PASSWORD: text(),

  OIDC_PROVIDERS: list(),
  RETURN_URLS: addresses(),

  PASSKEY_RP_ID: relyingPartyId(),
  PASSKEY_ORIGINS: passkeyOrigins(),

  OIDC_PROVIDER: choice('on', 'off'),
  OIDC_CLIENT_METADATA: domainsOr('off', 'on'),
  OIDC_ACCESS: choice('everybody', 'groups'),
  WEBFINGER_DOMAINS: domains(),

  HOSTED_PAGES: choice('on', 'off'),
  AUDIT_RETENTION: durationOrOff({ min: 86_400_000 }),
  WEBHOOK_RETENTION: duration('30d', { min: 3_600_000 }),
  API_DOCS: choice('public', 'basic', 'off'),
  API_DOCS_PASSWORD: text(),
  METRICS_TOKEN: text(),
  ADMIN_REQUIRE_MFA: flag(false),
  SETTINGS_IN_CONSOLE: choice('on', 'off'),

  BRAND_NAME: brandName('Gatehouse'),
  BRAND_LOGO: text(),
  BRAND_COLOR: brandColor(),
  TERMS_URL: webAddress(),
  PRIVACY_URL: webAddress(),

  BACKUP_EVERY: durationOrOff({ min: 3_600_000 }),
  BACKUP_DIR: text(),
  BACKUP_KEEP: integer(7, { min: 1, max: 1_000 }),
  BACKUP_RECIPIENT: list(
    /^age1[02-9ac-hj-np-z]{58}$/,
    'must be a recipient of age, as age-keygen prints it: age1…'
  ),

  LOG_FORMAT: process.stdout.isTTY ? choice('pretty', 'json') : choice('json', 'pretty'),
  LOG_REQUESTS: choice('on', 'off'),
  OTEL_EXPORTER_OTLP_ENDPOINT: address(),
}

const env = new Env(Env.rules({ ...others, ...rules }).validate(values as Record<string, string>))

assertSettings(env)

export const externalProviders = {
  oidc: readOidcProviders(env.get('OIDC_PROVIDERS'), values),
  google: readClient('GOOGLE', values),
  github: readGithub(values, env.get('GITHUB_URL')),
}

export const sentinelSettings = ['REDIS_SENTINEL_USERNAME', 'REDIS_SENTINEL_PASSWORD']

export const providerSettings = providerVariables(values)

const settingNames = [
  'CONSOLE_REQUIRE_MFA',
  ...sentinelSettings,
  ...Object.keys({ ...others, ...rules }),
  ...providerSettings,
]

export const ineffectiveSettings = [
  ...findMisspelt(values, [...settingNames, ...secretFileSettings(values)]),
  ...findOtherFiles(values, settingNames),
  ...findIneffective(values),
]

export const settingWarnings = [...ineffectiveSettings, ...findUnsuitable(values)]

/** The framework reads the address to listen on from the process environment. */
const hosts = env.get('HOST') ? [env.get('HOST')] : loopbackAddresses()
process.env.HOST = hosts[0]

/** `localhost` is either loopback address, and browsers differ in which one they try first. */
export const secondHost = hosts.at(1)
process.env.PORT = String(env.get('PORT'))

export default env
