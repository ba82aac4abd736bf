import { sentence } from '#i18n/sentences'
import { parseDuration } from './duration.ts'
import { providerVariables } from './oidc_clients.ts'

type Environment = Record<string, string | undefined>

interface Condition {
  settings: string[]
  isIgnored: (values: Environment) => boolean
  /** Its text is `settings.ineffective.<reason>` in `resources/lang/<language>/doctor.json`. */
  reason: string
}

const POSTGRES = ['DATABASE_URL', 'DB_PASSWORD', 'DB_DATABASE']
const PARTS_OF_ADDRESS = ['DB_HOST', 'DB_PORT', 'DB_USER', 'DB_PASSWORD', 'DB_DATABASE']
const REDIS = ['REDIS_URL', 'REDIS_CLUSTER_NODES', 'REDIS_SENTINELS']

const CONDITIONS: Condition[] = [
  {
    settings: [...POSTGRES, 'DB_HOST', 'DB_PORT', 'DB_USER'],
    isIgnored: ({ DB_CONNECTION }) => DB_CONNECTION !== 'pg',
    reason: 'sqlite',
  },
  {
    settings: PARTS_OF_ADDRESS,
    isIgnored: ({ DB_CONNECTION, DATABASE_URL }) => DB_CONNECTION === 'pg' && !!DATABASE_URL,
    reason: 'url',
  },
  {
    settings: REDIS,
    isIgnored: ({ STORE }) => STORE !== 'redis',
    reason: 'database',
  },
  {
    settings: ['REDIS_SENTINEL_NAME'],
    isIgnored: ({ REDIS_SENTINELS }) => !REDIS_SENTINELS,
    reason: 'no_sentinel',
  },
  {
    settings: ['REDIS_SENTINELS'],
    isIgnored: ({ STORE, REDIS_CLUSTER_NODES }) => STORE === 'redis' && !!REDIS_CLUSTER_NODES,
    reason: 'cluster',
  },
  {
    settings: ['SMTP_HOST', 'SMTP_PORT', 'SMTP_USERNAME', 'SMTP_PASSWORD'],
    isIgnored: ({ MAIL_MAILER }) => MAIL_MAILER === 'outbox',
    reason: 'files',
  },
  {
    settings: ['SMTP_PASSWORD'],
    isIgnored: ({ MAIL_MAILER, SMTP_USERNAME }) => MAIL_MAILER === 'smtp' && !SMTP_USERNAME,
    reason: 'no_user',
  },
  {
    settings: ['API_DOCS_PASSWORD'],
    isIgnored: ({ API_DOCS }) => API_DOCS !== 'basic',
    reason: 'api_docs',
  },
  {
    settings: ['OIDC_CLIENT_METADATA'],
    isIgnored: ({ OIDC_PROVIDER, OIDC_CLIENT_METADATA }) =>
      OIDC_PROVIDER === 'off' && !/^(off)?$/.test(OIDC_CLIENT_METADATA ?? ''),
    reason: 'no_provider',
  },
  {
    settings: ['WEBFINGER_DOMAINS', 'OIDC_ACCESS'],
    isIgnored: ({ OIDC_PROVIDER }) => OIDC_PROVIDER === 'off',
    reason: 'no_provider',
  },
  {
    settings: ['SIGN_UP_DOMAINS'],
    isIgnored: ({ SIGN_UP }) => SIGN_UP === 'invite',
    reason: 'invite',
  },
  {
    settings: ['LOGIN_THROTTLE_WINDOW', 'LOGIN_THROTTLE_KEY'],
    isIgnored: ({ LOGIN_THROTTLE_LIMIT }) => Number(LOGIN_THROTTLE_LIMIT || 5) === 0,
    reason: 'no_throttle',
  },
  {
    settings: ['TOKEN_AUDIENCE'],
    isIgnored: ({ ACCESS_TOKEN_ALGORITHM }) => /^(HS256)?$/.test(ACCESS_TOKEN_ALGORITHM ?? ''),
    reason: 'hs256',
  },
]

/** Authlib allows for a clock difference of a minute, and subtracts it from a token's lifetime. */
const SHORTEST_LIFE_MS = 120_000

export function findIneffective(values: Environment) {
  return [...withoutCondition(values), ...withoutProvider(values)]
}

/** Finds settings that have an effect but need another value. */
export function findUnsuitable(values: Environment) {
  return [...withoutMailServer(values), ...withShortTokens(values)]
}

function withoutCondition(values: Environment) {
  return CONDITIONS.filter(({ isIgnored }) => isIgnored(values)).flatMap(({ settings, reason }) =>
    settings
      .filter((name) => values[name])
      .map((name) => sentence(`settings.ineffective.${reason}`, { name }))
  )
}

/** `OIDC_ACME_ISSUER` does nothing while `OIDC_PROVIDERS` does not name `acme`. */
function withoutProvider(values: Environment) {
  const named = new Set(providerVariables(values))
  return Object.keys(values)
    .filter((name) => values[name] && !named.has(name))
    .filter((name) => /^OIDC_[A-Z\d_]+_(ISSUER|CLIENT_ID|CLIENT_SECRET|GROUPS_CLAIM)$/.test(name))
    .map((name) => sentence('settings.ineffective.not_named', { name }))
}

function withoutMailServer({ MAIL_MAILER, SMTP_HOST, SMTP_PORT }: Environment) {
  if (MAIL_MAILER !== 'smtp' || SMTP_HOST) return []
  return [sentence('settings.no_mail_server', { port: SMTP_PORT || 587 })]
}

function withShortTokens({ ACCESS_TOKEN_TTL, OIDC_PROVIDER }: Environment) {
  const life = parseDuration(ACCESS_TOKEN_TTL ?? '') ?? SHORTEST_LIFE_MS
  if (OIDC_PROVIDER === 'off' || life >= SHORTEST_LIFE_MS) return []
  return [sentence('settings.short_tokens')]
}
