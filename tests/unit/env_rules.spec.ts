import { test } from '@japa/runner'
import { choice, duration, durationOrOff, flag, integer } from '#setup/environment/rules'
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
import { webAddress } from '#setup/environment/brand_rules'
import { passkeyOrigins, relyingPartyId } from '#setup/environment/passkey_rules'
import { sentinels, sentinelsWithPassword, servers } from '#setup/environment/redis_rules'
import { keyring } from '#setup/environment/secret_rules'

const STRONG = ['k9PzV1qYc7LwR3tXbN5mGd8HfJs2QaEe', 'Zx4CvB6nM8kLp0oIu7YtRe5WqAs3DfGh']

test.group('Environment | rules', () => {
  test('off is no duration, and a day the shortest', ({ assert }) => {
    const rule = durationOrOff({ min: 86_400_000 })
    assert.isNull(rule('KEPT'))
    assert.isNull(rule('KEPT', 'off'))
    assert.equal(rule('KEPT', '1d'), 86_400_000)
    assert.throws(() => rule('KEPT', '23h'), /KEPT must be at least 1d/)
  })

  test('{written} is a valid duration')
    .with([
      { written: '900s', milliseconds: 900_000 },
      { written: '15m', milliseconds: 900_000 },
      { written: '7d', milliseconds: 604_800_000 },
      { written: undefined, milliseconds: 60_000 },
    ])
    .run(({ assert }, { written, milliseconds }) => {
      assert.equal(duration('1m')('TTL', written), milliseconds)
    })

  test('{name} is refused with the name of the variable')
    .with([
      { name: 'a bare number', read: () => duration('1m')('TTL', '15') },
      { name: 'no time at all', read: () => duration('1m')('TTL', '0s') },
      { name: 'a fraction', read: () => integer(5)('TTL', '1.5') },
      { name: 'a number below', read: () => integer(5, { min: 1 })('TTL', '0') },
      { name: 'an unknown choice', read: () => choice('on', 'off')('TTL', 'maybe') },
      { name: 'half a truth', read: () => flag(true)('TTL', 'yes please') },
      { name: 'no network', read: () => networks()('TTL', '10.0.0.0/33') },
      { name: 'an address for a domain', read: () => domains()('TTL', 'ada@example.org') },
      { name: 'no word and no domain', read: () => domainsOr('off')('TTL', 'maybe') },
      { name: 'a server without a port', read: () => servers()('TTL', 'redis-1') },
      { name: 'a sentinel without a port', read: () => sentinels()('TTL', 'a:b@redis-1') },
      { name: 'half an escape', read: () => sentinels()('TTL', ':%@redis-1:26379') },
      { name: 'no address', read: () => address()('TTL', 'auth.example.org') },
      { name: 'a fragment', read: () => addresses()('TTL', 'https://app.example.org/#a') },
      { name: 'an address as passkey domain', read: () => relyingPartyId()('TTL', '192.0.2.7') },
      { name: 'a passkey domain with a port', read: () => relyingPartyId()('TTL', 'a.example:1') },
      { name: 'a top-level domain for passkeys', read: () => relyingPartyId()('TTL', 'org') },
      { name: 'plain http for passkeys', read: () => passkeyOrigins()('TTL', 'http://a.example') },
      { name: 'a path in an origin', read: () => passkeyOrigins()('TTL', 'https://a.example/x') },
      { name: 'a path in our address', read: () => ownAddress()('TTL', 'https://a.example/auth') },
      { name: 'no IPv4 address', read: () => listenAddress()('TTL', '999.1.1.1') },
      { name: 'half an IPv4 address', read: () => listenAddress()('TTL', '10.0') },
      { name: 'a sender without a domain', read: () => mailbox('')('TTL', 'foo') },
      { name: 'two senders', read: () => mailbox('')('TTL', 'a@a.example, b@b.example') },
      { name: 'two web addresses', read: () => webAddress()('TTL', 'https://a,https://b') },
      { name: 'a missing secret', read: () => keyring()('TTL', '') },
      {
        name: 'a short secret',
        read: () => keyring()('TTL', 'k9PzV1qYc7LwR3tXbN5mGd8HfJs2QaE'),
      },
      {
        name: 'a sample secret',
        read: () => keyring()('TTL', 'change-me-change-me-change-me-please'),
      },
      { name: 'one letter repeated', read: () => keyring()('TTL', 'a'.repeat(40)) },
      { name: 'a secret twice', read: () => keyring()('TTL', `${STRONG[0]},${STRONG[0]}`) },
    ])
    .run(({ assert }, { read }) => {
      assert.throws(read, /^TTL\b/)
    })

  test('{host} is an address to listen on')
    .with(['0.0.0.0', '127.0.0.1', '::1', 'localhost', 'vm-2.internal'].map((host) => ({ host })))
    .run(({ assert }, { host }) => {
      assert.equal(listenAddress()('HOST', host), host)
    })

  test('{sender} may send mails')
    .with(
      ['no-reply@localhost', 'Acme <a@b.example>', '"Acme, Inc." <a@b.example>'].map((sender) => ({
        sender,
      }))
    )
    .run(({ assert }, { sender }) => {
      assert.equal(mailbox('')('MAIL_FROM', sender), sender)
    })

  test('an error never contains the value', ({ assert }) => {
    try {
      keyring()('APP_KEY', 'hunter2')
      assert.fail('accepted')
    } catch (error) {
      assert.notInclude(error.message, 'hunter2')
    }
  })

  test('a keyring of two keys is valid', ({ assert }) => {
    assert.deepEqual(keyring()('APP_KEY', STRONG.join(', ')), STRONG)
  })
})

test.group('Environment | address of Postgres', () => {
  const secret = 'h0rse'

  test('{name} is taken as it is')
    .with([
      { name: 'a host', value: `postgres://gatehouse:${secret}@db.example.org:5432/gatehouse` },
      { name: 'an encoded password', value: 'postgresql://gatehouse:h%230rse@db/gatehouse' },
      { name: 'a folder', value: '/var/run/postgresql' },
    ])
    .run(({ assert }, { value }) => {
      assert.equal(databaseAddress()('DATABASE_URL', value), value)
    })

  test('{name} is refused by its name alone')
    .with([
      { name: 'a password with #', value: `postgres://gatehouse:${secret}#1@db/gatehouse` },
      { name: 'two hosts', value: `postgres://gatehouse:${secret}@one:5432,two:5432/gatehouse` },
      { name: 'another scheme', value: `mysql://gatehouse:${secret}@db/gatehouse` },
    ])
    .run(({ assert }, { value }) => {
      const read = () => databaseAddress()('DATABASE_URL', value)
      assert.throws(read, /^DATABASE_URL must /)
      assert.throws(read, /^((?!h0rse).)*$/)
    })

  test('{written} is a word or a list of domains')
    .with([
      { written: undefined, read: 'off' },
      { written: 'on', read: 'on' },
      { written: 'claude.ai, VSCode.dev', read: ['claude.ai', 'vscode.dev'] },
    ])
    .run(({ assert }, { written, read }) => {
      assert.deepEqual(domainsOr('off', 'on')('HOSTS', written), read)
    })

  test('credentials before one sentinel hold for all', ({ assert }) => {
    const read = sentinels()('SENTINELS', 'watch:p%40ss%2C@one:26379, two:26380')
    assert.deepEqual(read, {
      servers: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 26_380 },
      ],
      username: 'watch',
      password: 'p@ss,',
    })
  })

  test('a password of sentinels may stand apart', ({ assert }) => {
    const REDIS_SENTINELS = 'one:26379,two:26380'
    const given = { REDIS_SENTINELS, REDIS_SENTINEL_PASSWORD: 'p@ss,' }
    const { username, password, servers: found } = sentinels()('X', sentinelsWithPassword(given))
    assert.deepEqual([username, password, found.length], [undefined, 'p@ss,', 2])
    assert.equal(sentinelsWithPassword({ REDIS_SENTINELS }), REDIS_SENTINELS)
  })

  test('a password of sentinels needs no user', ({ assert }) => {
    const { username, password } = sentinels()('SENTINELS', ':secret@one:26379')
    assert.deepEqual([username, password], [undefined, 'secret'])
  })
})
