import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { test } from '@japa/runner'
import { derToP1363 } from '#auth/signing_keys/private_keys'

/** Encodes numbers in DER, where they are as short as possible and never negative. */
function derOf(...numbers: string[]) {
  const parts = numbers.map((hex) => Buffer.from(hex, 'hex'))
  const written = parts.flatMap((part) => [Buffer.from([2, part.length]), part])
  const content = Buffer.concat(written)
  return Buffer.concat([Buffer.from([0x30, content.length]), content])
}

test.group('JWS signatures | ES256', () => {
  test('each signature verifies as two numbers', ({ assert }) => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    const inputs = Array.from({ length: 300 }, (_, at) => Buffer.from(`input ${at}`))
    const wrong = inputs.filter(
      (input) => !verify('sha256', input, key, derToP1363(sign('sha256', input, privateKey)))
    )
    assert.deepEqual(wrong, [])
  })

  test('short numbers are padded, a sign is dropped', ({ assert }) => {
    const pair = derToP1363(derOf('01', `00${'ff'.repeat(32)}`))
    assert.equal(pair.toString('hex'), '01'.padStart(64, '0') + 'ff'.repeat(32))
    assert.equal(
      derToP1363(derOf('7f'.repeat(31), '02'))
        .toString('hex')
        .slice(0, 4),
      '007f'
    )
  })
})
