import { parseDuration } from './duration.ts'
import { providerVariables } from './oidc_clients.ts'

type Environment = Record<string, string | undefined>

interface Condition {
  settings: string[]
  isIgnored: (values: Environment) => boolean
  reason: string
}

const POSTGRES = ['DATABASE_URL', 'DB_PASSWORD', 'DB_DATABASE']
const PARTS_OF_ADDRESS = ['DB_HOST', 'DB_PORT', 'DB_USER', 'DB_PASSWORD', 'DB_DATABASE']
const REDIS = ['REDIS_URL', 'REDIS_CLUSTER_NODES', 'REDIS_SENTINELS']

const CONDITIONS: Condition[] = [
  {
    settings: [...POSTGRES, 'DB_HOST', 'DB_PORT', 'DB_USER'],
    isIgnored: ({ DB_CONNECTION }) => DB_CONNECTION !== 'pg',
    reason: 'the database is SQLite; for Postgres set DB_CONNECTION=pg',
  },
  {
    settings: PARTS_OF_ADDRESS,
    isIgnored: ({ DB_CONNECTION, DATABASE_URL }) => DB_CONNECTION === 'pg' && !!DATABASE_URL,
    reason: 'DATABASE_URL is set; set one or the other',
  },
  {
    settings: REDIS,
    isIgnored: ({ STORE }) => STORE !== 'redis',
    reason: 'tokens and sessions are in the database; for Redis set STORE=redis',
  },
  {
    settings: ['REDIS_SENTINEL_NAME'],
    isIgnored: ({ REDIS_SENTINELS }) => !REDIS_SENTINELS,
    reason: 'no sentinel is named; set REDIS_SENTINELS',
  },
  {
    settings: ['REDIS_SENTINELS'],
    isIgnored: ({ STORE, REDIS_CLUSTER_NODES }) => STORE === 'redis' && !!REDIS_CLUSTER_NODES,
    reason: 'REDIS_CLUSTER_NODES is set; set one or the other',
  },
  {
    settings: ['SMTP_HOST', 'SMTP_PORT', 'SMTP_USERNAME', 'SMTP_PASSWORD'],
    isIgnored: ({ MAIL_MAILER }) => MAIL_MAILER === 'outbox',
    reason: 'mails become files; to send them remove MAIL_MAILER=outbox and set SMTP_HOST',
  },
  {
    settings: ['SMTP_PASSWORD'],
    isIgnored: ({ MAIL_MAILER, SMTP_USERNAME }) => MAIL_MAILER === 'smtp' && !SMTP_USERNAME,
    reason: 'no user is named; set SMTP_USERNAME',
  },
  {
    settings: ['API_DOCS_PASSWORD'],
    isIgnored: ({ API_DOCS }) => API_DOCS !== 'basic',
    reason: 'the documentation asks for a password only with API_DOCS=basic',
  },
  {
    settings: ['OIDC_CLIENT_METADATA'],
    isIgnored: ({ OIDC_PROVIDER, OIDC_CLIENT_METADATA }) =>
      OIDC_PROVIDER === 'off' && !/^(off)?$/.test(OIDC_CLIENT_METADATA ?? ''),
    reason: 'the OpenID provider is off; remove OIDC_PROVIDER=off',
  },
  {
    settings: ['WEBFINGER_DOMAINS', 'OIDC_ACCESS'],
    isIgnored: ({ OIDC_PROVIDER }) => OIDC_PROVIDER === 'off',
    reason: 'the OpenID provider is off; remove OIDC_PROVIDER=off',
  },
  {
    settings: ['SIGN_UP_DOMAINS'],
    isIgnored: ({ SIGN_UP }) => SIGN_UP === 'invite',
    reason: 'only invited users sign up; remove SIGN_UP=invite',
  },
  {
    settings: ['LOGIN_THROTTLE_WINDOW', 'LOGIN_THROTTLE_KEY'],
    isIgnored: ({ LOGIN_THROTTLE_LIMIT }) => Number(LOGIN_THROTTLE_LIMIT || 5) === 0,
    reason: 'LOGIN_THROTTLE_LIMIT=0 switches the throttle off; set a limit',
  },
  {
    settings: ['TOKEN_AUDIENCE'],
    isIgnored: ({ ACCESS_TOKEN_ALGORITHM }) => /^(HS256)?$/.test(ACCESS_TOKEN_ALGORITHM ?? ''),
    reason: 'ACCESS_TOKEN_ALGORITHM is HS256; set it to ES256 or EdDSA',
  },
]

/** Authlib allows a minute for clocks that differ, and takes it off the life of a token. */
const SHORTEST_LIFE_MS = 120_000

export function findIneffective(values: Environment) {
  return [...withoutCondition(values), ...withoutProvider(values)]
}

/** Settings that have an effect, and need another value. */
export function findUnsuitable(values: Environment) {
  return [...withoutMailServer(values), ...withShortTokens(values)]
}

function withoutCondition(values: Environment) {
  return CONDITIONS.filter(({ isIgnored }) => isIgnored(values)).flatMap(({ settings, reason }) =>
    settings.filter((name) => values[name]).map((name) => `${name} has no effect: ${reason}`)
  )
}

/** `OIDC_ACME_ISSUER` does nothing while `OIDC_PROVIDERS` does not name `acme`. */
function withoutProvider(values: Environment) {
  const named = new Set(providerVariables(values))
  return Object.keys(values)
    .filter((name) => values[name] && !named.has(name))
    .filter((name) => /^OIDC_[A-Z\d_]+_(ISSUER|CLIENT_ID|CLIENT_SECRET|GROUPS_CLAIM)$/.test(name))
    .map((name) => `${name} has no effect: name its provider in OIDC_PROVIDERS`)
}

function withoutMailServer({ MAIL_MAILER, SMTP_HOST, SMTP_PORT }: Environment) {
  if (MAIL_MAILER !== 'smtp' || SMTP_HOST) return []
  const server = `port ${SMTP_PORT || 587} of this machine`
  return [`SMTP_HOST is not set: mails go to ${server}; name the mail server, or 127.0.0.1`]
}

function withShortTokens({ ACCESS_TOKEN_TTL, OIDC_PROVIDER }: Environment) {
  const life = parseDuration(ACCESS_TOKEN_TTL ?? '') ?? SHORTEST_LIFE_MS
  if (OIDC_PROVIDER === 'off' || life >= SHORTEST_LIFE_MS) return []
  return [
    'ACCESS_TOKEN_TTL is below 2m: applications that allow a minute for clocks that differ (Authlib) end their sessions early; set at least 2m',
  ]
}
