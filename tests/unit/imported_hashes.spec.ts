import { pbkdf2Sync, scryptSync } from 'node:crypto'
import { test } from '@japa/runner'
import { hashRaw } from '@node-rs/argon2'
import bcrypt from 'bcrypt'
import { findHashFormat } from '#auth/passwords/imported_hashes/index'
import { isHashOutdated, verifyPassword } from '#auth/passwords/password_hash'

/*
 | Samples of “Correct-h0rse!” by independent implementations: passlib 1.7 of Debian's
 | python3-passlib (`scrypt.using(rounds=14).hash(…)` and so on), Python's hashlib.scrypt,
 | and for Firebase the user that its scrypt utility is documented with.
 */
const SAMPLES = [
  { kind: 'bcrypt', hash: '$2b$10$IpwlW1almrdErz9BVkpLnOr4dGKGcuE3DcLTHCUTM54ZDMnJv.t3e' },
  { kind: 'bcrypt of PHP', hash: '$2y$10$IpwlW1almrdErz9BVkpLnOr4dGKGcuE3DcLTHCUTM54ZDMnJv.t3e' },
  {
    kind: 'argon2i',
    hash: '$argon2i$v=19$m=4096,t=3,p=8$du5dyxnDWCvlfC8lZGxtTQ$7c/BKCDda3snRbEevhWwZQ',
  },
  {
    kind: 'argon2id',
    hash: '$argon2id$v=19$m=65536,t=3,p=4$SokRAuB8LyXkfI9Rao1xDg$KeKkzaTNSo7XU2m2KdVc+Q',
  },
  {
    kind: 'PBKDF2-SHA1',
    hash: '$pbkdf2$20000$gNAag5BSKoUw5pxT6v3fuw$Zpygbr6LM2t8WDDXcV16WslEiyE',
  },
  {
    kind: 'PBKDF2-SHA256',
    hash: '$pbkdf2-sha256$29000$/N87pzRmrHWOEQLAeO.9tw$0x1RuY6hrswDPYlAg2DC2n.Ka0S9A/kqZMZV5HyhjRQ',
  },
  {
    kind: 'PBKDF2-SHA512',
    hash: '$pbkdf2-sha512$25000$lFIq5TxnDOHc25uzds4Zow$4VkDcfhiYszpO6TnYpQlWtA3mwj86MXO6fvW9BVDlavNnHXKs3ATb9GF8dEG848BH.XMsa94//8CNW.bDjWvkw',
  },
  {
    kind: 'Django',
    hash: 'pbkdf2_sha256$29000$5uDoJI5nkGrW$6SviGiKEsVOIThGnh2I2c71I7ZAnEemubFoMx3Cn2XQ=',
  },
  {
    kind: 'bcrypt of Django',
    hash: 'bcrypt_sha256$$2b$10$Ukdum6A1RXc1diaTOtwxzOo4HrPYDoppF/L5wkmHVHlOjFSTy2sHS',
  },
  {
    kind: 'scrypt',
    hash: '$scrypt$ln=14,r=8,p=1$MSZECMHYG8MYQ4gRwpiTEg$SVsxFjv3oY1h9kuuFdSqS04mm0qMftTiQ/9hbDcOe40',
  },
  {
    kind: 'better-auth',
    hash: '5524e3bc6a428ea22a76deb6d1bd77f8:6c8819452b2c06d5c8218e1786b95d90ab38f132ba4daf81d445d4b2f373f353ee96aa31e500cda7fab78226b686c960b52f9f69c318d31f00c9996a5f554ce3',
  },
  {
    kind: 'Firebase',
    password: 'user1password',
    hash: '$firebase-scrypt$jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$Bw==$8$14$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
  },
]

const PASSWORD = 'Correct-h0rse!'
const SALT = Buffer.from('sixteen bytes ok')

function pbkdf2Hash({ digest = 'sha256', rounds = 1_000, salt = SALT, length = 20 }) {
  const key = pbkdf2Sync(PASSWORD, salt, rounds, length, digest)
  return `$pbkdf2-${digest}$${rounds}$${unpadded(salt)}$${unpadded(key)}`
}

function scryptHash({ N = 1_024, r = 8, p = 1, salt = SALT }) {
  const key = scryptSync(PASSWORD, salt, 32, { N, r, p, maxmem: 512 * 1_024 * 1_024 })
  return `$scrypt$n=${N},r=${r},p=${p}$${unpadded(salt)}$${unpadded(key)}`
}

async function argon2Hash({ m = 1_024, t = 1 }) {
  const options = { memoryCost: m, timeCost: t, parallelism: 1, algorithm: 2, salt: SALT }
  const key = await hashRaw(PASSWORD, { ...options, outputLen: 32 })
  return `$argon2id$v=19$m=${m},t=${t},p=1$${unpadded(SALT)}$${unpadded(key)}`
}

function unpadded(bytes: Buffer) {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** Each limit, just within and just beyond it. If OpenSSL refuses a hash, its key is zeros. */
const BOUNDARIES = [
  { kind: 'bcrypt', name: 'cost 12', isAccepted: true, make: () => bcrypt.hash(PASSWORD, 12) },
  {
    kind: 'bcrypt',
    name: 'cost 13',
    isAccepted: false,
    make: () => '$2b$13$IpwlW1almrdErz9BVkpLnOr4dGKGcuE3DcLTHCUTM54ZDMnJv.t3e',
  },
  { kind: 'PBKDF2', name: '1 round', isAccepted: false, make: () => pbkdf2Hash({ rounds: 1 }) },
  {
    kind: 'PBKDF2',
    name: '999 rounds',
    isAccepted: false,
    make: () => pbkdf2Hash({ rounds: 999 }),
  },
  { kind: 'PBKDF2', name: '1,000 rounds', isAccepted: true, make: () => pbkdf2Hash({}) },
  {
    kind: 'PBKDF2-SHA512',
    name: '500,000 rounds',
    isAccepted: true,
    make: () => pbkdf2Hash({ digest: 'sha512', rounds: 500_000 }),
  },
  {
    kind: 'PBKDF2-SHA512',
    name: '500,001 rounds',
    isAccepted: false,
    make: () => pbkdf2Hash({ digest: 'sha512', rounds: 500_001 }),
  },
  {
    kind: 'PBKDF2',
    name: 'a salt of one byte',
    isAccepted: false,
    make: () => pbkdf2Hash({ salt: Buffer.from('a') }),
  },
  {
    kind: 'PBKDF2',
    name: 'a salt of 7 bytes',
    isAccepted: false,
    make: () => pbkdf2Hash({ salt: SALT.subarray(0, 7) }),
  },
  {
    kind: 'PBKDF2',
    name: 'a salt of 8 bytes',
    isAccepted: true,
    make: () => pbkdf2Hash({ salt: SALT.subarray(0, 8) }),
  },
  { kind: 'scrypt', name: '512 KiB', isAccepted: false, make: () => scryptHash({ N: 512 }) },
  { kind: 'scrypt', name: '1 MiB', isAccepted: true, make: () => scryptHash({}) },
  { kind: 'scrypt', name: '128 MiB', isAccepted: true, make: () => scryptHash({ N: 131_072 }) },
  {
    kind: 'scrypt',
    name: '160 MiB',
    isAccepted: false,
    make: () => scryptHash({ N: 32_768, p: 5 }),
  },
  {
    kind: 'scrypt',
    name: 'r=1 and N=2^15',
    isAccepted: true,
    make: () => scryptHash({ N: 32_768, r: 1 }),
  },
  {
    kind: 'scrypt',
    name: 'r=1 and N=2^16, which nothing computes',
    isAccepted: false,
    make: () => `$scrypt$ln=16,r=1,p=1$${unpadded(SALT)}$${'A'.repeat(43)}`,
  },
  { kind: 'argon2', name: '512 KiB', isAccepted: false, make: () => argon2Hash({ m: 512, t: 4 }) },
  { kind: 'argon2', name: '1 MiB', isAccepted: true, make: () => argon2Hash({}) },
  {
    kind: 'argon2',
    name: '384 MiB',
    isAccepted: true,
    make: () => argon2Hash({ m: 131_072, t: 3 }),
  },
  {
    kind: 'argon2',
    name: '512 MiB',
    isAccepted: false,
    make: () => argon2Hash({ m: 131_072, t: 4 }),
  },
]

test.group('Imported hashes', () => {
  test('a hash of {kind} matches its password only')
    .with(SAMPLES)
    .run(async ({ assert }, { hash, password = 'Correct-h0rse!' }) => {
      assert.isTrue(await verifyPassword(hash, password))
      assert.isFalse(await verifyPassword(hash, `${password} `))
      assert.isTrue(isHashOutdated(hash))
    })

  test('{kind} is accepted at {name} as {isAccepted}, and then matches')
    .with(BOUNDARIES)
    .run(async ({ assert }, { make, isAccepted }) => {
      const hash = await make()
      assert.equal(findHashFormat(hash) !== undefined, isAccepted)
      assert.equal(await verifyPassword(hash, PASSWORD), isAccepted)
    })
    .timeout(20_000)

  test('a malformed hash matches no password: {hash}')
    .with(
      ['$argon2id$v=19$m=19456,t=2,p=1$junk', '$argon2id$', 'x'.repeat(5_000)].map((hash) => ({
        hash,
      }))
    )
    .run(async ({ assert }, { hash }) => {
      assert.isFalse(await verifyPassword(hash, 'Correct-h0rse!'))
    })

  test('a hash beyond the limits has no format: {hash}')
    .with(
      [
        '$2b$31$IpwlW1almrdErz9BVkpLnOr4dGKGcuE3DcLTHCUTM54ZDMnJv.t3e',
        '$argon2id$v=19$m=9999999,t=3,p=4$SokRAuB8LyXkfI9Rao1xDg$KeKkzaTNSo7XU2m2KdVc+Q',
        '$argon2id$v=19$m=65536,t=9999,p=4$SokRAuB8LyXkfI9Rao1xDg$KeKkzaTNSo7XU2m2KdVc+Q',
        'pbkdf2_sha256$99999999$5uDoJI5nkGrW$6SviGiKEsVOIThGnh2I2c71I7ZAnEemubFoMx3Cn2XQ=',
        '$scrypt$ln=30,r=8,p=1$MSZECMHYG8MYQ4gRwpiTEg$SVsxFjv3oY1h9kuuFdSqS04mm0qMftTiQ/9hbDcOe40',
        `pbkdf2_sha256$100000$5uDoJI5nkGrW$${'A'.repeat(900)}`,
        `$pbkdf2$1500000$gNAag5BSKoUw5pxT6v3fuw$${'A'.repeat(86)}`,
        '$pbkdf2$0$gNAag5BSKoUw5pxT6v3fuw$Zpygbr6LM2t8WDDXcV16WslEiyE',
        '$scrypt$n=1000,r=8,p=1$MSZECMHYG8MYQ4gRwpiTEg$SVsxFjv3oY1h9kuuFdSqS04mm0qMftTiQ/9hbDcOe40',
        '$scrypt$ln=14,r=8,p=1$MSZECMHYG8MYQ4gRwpiTEg$SVsx',
        'pbkdf2_sha256$29000$5uDo\0JI5nkGrW$6SviGiKEsVOIThGnh2I2c71I7ZAnEemubFoMx3Cn2XQ=',
        '$argon2id$v=19$m=19456,t=2,p=99$SokRAuB8LyXkfI9Rao1xDg$KeKkzaTNSo7XU2m2KdVc+Q',
        '$argon2id$v=19$m=0,t=2,p=1$SokRAuB8LyXkfI9Rao1xDg$KeKkzaTNSo7XU2m2KdVc+Q',
        '$argon2id$v=19$m=19456,t=2,p=1$junk',
        `$argon2id$v=19$m=19456,t=2,p=1$SokRAuB8LyXkfI9Rao1xDg$${'A'.repeat(400)}`,
        '$pbkdf2-sha256$29000$/N87pzRmrHWOEQLAeO.9tw$no base64, but long enough to be a key',
        '$scrypt$ln=14,r=8,p=1$MSZECMHYG8MYQ4gRwpiTEg$SVsxFjv3oY1h9kuuFdSqS(4mm0qMftTiQ/9hbDcOe40',
        '$argon2id$v=19$m=65536,t=3,p=4$SokRAuB8LyXkfI9Rao1xDg$KeKkzaTNSo7XU2m2KdVc+R',
        '$firebase-scrypt$jxspr8Ki0RY=$Bw==$8$14$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
        '$1$abcdefgh$ijklmnopqrstuvwxyz0123',
        'plain text',
        '',
      ].map((hash) => ({ hash }))
    )
    .run(({ assert }, { hash }) => {
      assert.isUndefined(findHashFormat(hash))
    })
})
