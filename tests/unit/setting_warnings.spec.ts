import { test } from '@japa/runner'
import { findIneffective, findUnsuitable } from '#setup/environment/ineffective_settings'
import { findMisspelt } from '#setup/environment/misspelt_settings'
import { inEnglish } from '#i18n/sentences'

const SETTINGS = [
  'HOST',
  'PORT',
  'DB_USER',
  'JWT_ACCESS_SECRETS',
  'LOCKOUT_THRESHOLD',
  'SMTP_USERNAME',
]

test.group('Settings | misspelt', () => {
  test('{name} is named beside {meant}')
    .with([
      { name: 'JWT_ACCESS_SECRET', meant: 'JWT_ACCESS_SECRETS' },
      { name: 'LOCKOUT_TRESHOLD', meant: 'LOCKOUT_THRESHOLD' },
      { name: 'LOCKUOT_THRESHODL', meant: 'LOCKOUT_THRESHOLD' },
      { name: 'SMTP_USER', meant: 'SMTP_USERNAME' },
      { name: 'DB_USERNAME', meant: 'DB_USER' },
      { name: 'db_user', meant: 'DB_USER' },
      { name: 'PROT', meant: 'PORT' },
    ])
    .run(({ assert }, { name, meant }) => {
      const warnings = findMisspelt({ [name]: 'hunter2' }, SETTINGS).map(inEnglish)
      assert.deepEqual(warnings, [`${name} is no setting: did you mean ${meant}?`])
    })

  test('{name} is left alone')
    .with([
      { name: 'HOST' },
      { name: 'HOSTNAME' },
      { name: 'HOME' },
      { name: 'PATH' },
      { name: 'SMTP_PORT_25_TCP' },
      { name: 'LOCKOUT_THRESHOLD_REASON' },
    ])
    .run(({ assert }, { name }) => {
      assert.isEmpty(findMisspelt({ [name]: 'x' }, SETTINGS))
    })

  test('an empty variable is a missing one', ({ assert }) => {
    assert.isEmpty(findMisspelt({ PROT: '' }, SETTINGS))
  })
})

test.group('Settings | without effect', () => {
  test('{name} is named with what it needs')
    .with([
      { name: 'DATABASE_URL', beside: {}, remedy: 'DB_CONNECTION=pg' },
      {
        name: 'DB_HOST',
        beside: { DB_CONNECTION: 'pg', DATABASE_URL: 'x' },
        remedy: 'DATABASE_URL',
      },
      { name: 'SIGN_UP_DOMAINS', beside: { SIGN_UP: 'invite' }, remedy: 'SIGN_UP=invite' },
      {
        name: 'OIDC_CLIENT_METADATA',
        value: 'on',
        beside: { OIDC_PROVIDER: 'off' },
        remedy: 'OIDC_PROVIDER=off',
      },
      { name: 'OIDC_ACCESS', beside: { OIDC_PROVIDER: 'off' }, remedy: 'OIDC_PROVIDER=off' },
      {
        name: 'WEBFINGER_DOMAINS',
        beside: { OIDC_PROVIDER: 'off' },
        remedy: 'OIDC_PROVIDER=off',
      },
      {
        name: 'LOGIN_THROTTLE_KEY',
        beside: { LOGIN_THROTTLE_LIMIT: '0' },
        remedy: 'LOGIN_THROTTLE_LIMIT=0',
      },
      {
        name: 'LOGIN_THROTTLE_WINDOW',
        beside: { LOGIN_THROTTLE_LIMIT: '0' },
        remedy: 'LOGIN_THROTTLE_LIMIT=0',
      },
      { name: 'REDIS_URL', beside: {}, remedy: 'STORE=redis' },
      { name: 'REDIS_SENTINEL_NAME', beside: { STORE: 'redis' }, remedy: 'REDIS_SENTINELS' },
      { name: 'SMTP_HOST', beside: { MAIL_MAILER: 'outbox' }, remedy: 'MAIL_MAILER=outbox' },
      { name: 'API_DOCS_PASSWORD', beside: {}, remedy: 'API_DOCS=basic' },
      {
        name: 'OIDC_ACME_CLIENT_ID',
        beside: { OIDC_PROVIDERS: 'other' },
        remedy: 'OIDC_PROVIDERS',
      },
      {
        name: 'OIDC_ACME_GROUPS_CLAIM',
        beside: { OIDC_PROVIDERS: 'other' },
        remedy: 'OIDC_PROVIDERS',
      },
      { name: 'TOKEN_AUDIENCE', beside: {}, remedy: 'ES256' },
    ])
    .run(({ assert }, { name, value = 'hunter2', beside, remedy }) => {
      const warnings = findIneffective({ ...beside, [name]: value }).map(inEnglish)
      assert.lengthOf(warnings, 1, warnings.join('\n'))
      assert.isEmpty(findUnsuitable({ ...beside, [name]: value }))
      assert.match(warnings[0], new RegExp(`^${name} has no effect: .*${remedy}`))
      assert.notInclude(warnings[0], 'hunter2')
    })

  test('a mail server that is not named is', ({ assert }) => {
    const [warning] = findUnsuitable({ MAIL_MAILER: 'smtp' }).map(inEnglish)
    assert.match(warning, /^SMTP_HOST is not set: mails go to port 587/)
    assert.isEmpty(findUnsuitable({ MAIL_MAILER: 'smtp', SMTP_HOST: 'mail.example.org' }))
  })

  test('an access token of {life} {outcome}')
    .with([
      { life: '119s', outcome: 'is warned of', provider: 'on', count: 1 },
      { life: '119s', outcome: 'is fine without applications', provider: 'off', count: 0 },
      { life: '2m', outcome: 'is fine', provider: 'on', count: 0 },
      { life: '121s', outcome: 'is fine', provider: 'on', count: 0 },
    ])
    .run(({ assert }, { life, provider, count }) => {
      const found = findUnsuitable({ ACCESS_TOKEN_TTL: life, OIDC_PROVIDER: provider })
      const warnings = found.map(inEnglish)
      assert.lengthOf(warnings, count)
      for (const warning of warnings) assert.match(warning, /^ACCESS_TOKEN_TTL is below 2m: .*2m$/)
    })

  test('settings that work together give no warning', ({ assert }) => {
    const values = {
      DB_CONNECTION: 'pg',
      DATABASE_URL: 'postgres://db/gatehouse',
      STORE: 'redis',
      REDIS_URL: 'redis://cache',
      OIDC_PROVIDERS: 'acme-staff',
      OIDC_ACME_STAFF_ISSUER: 'https://id.example.org',
    }
    assert.isEmpty([...findIneffective(values), ...findUnsuitable(values)])
  })
})
