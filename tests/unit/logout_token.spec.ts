import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose'

/* The check that people copy from the example application. */

const ISSUER = 'https://auth.example.org'
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const CLAIMS = { iss: ISSUER, aud: 'example', sub: 'ada', sid: 'session', events: { [EVENT]: {} } }

const FORGED: { name: string; claims?: object; typ?: string; ageSeconds?: number }[] = [
  { name: 'of another issuer', claims: { iss: 'https://evil.example' } },
  { name: 'for another client', claims: { aud: 'grafana' } },
  { name: 'that is an ID token', claims: { events: undefined, nonce: 'n' }, typ: 'JWT' },
  { name: 'with the type of an ID token', typ: 'JWT' },
  { name: 'with a nonce', claims: { nonce: 'n' } },
  { name: 'about nothing', claims: { events: undefined } },
  { name: 'about something else', claims: { events: { 'https://example.org/event': {} } } },
  { name: 'about no user or session', claims: { sub: undefined, sid: undefined } },
  { name: 'that is old', ageSeconds: 140 },
]

async function verifier(jwksUri: string) {
  const file = new URL('../../examples/express/logout_token.js', import.meta.url)
  const { logoutTokenVerifier } = await import(file.href)
  return logoutTokenVerifier({ issuer: ISSUER, jwks_uri: jwksUri }, 'example')
}

test.group('Logout token | in the example application', (group) => {
  let server: Server
  let keys: { privateKey: CryptoKey; publicKey: CryptoKey }
  let verify: (token?: string) => Promise<{ sid: string }>
  group.setup(async () => {
    keys = await generateKeyPair('ES256')
    const body = JSON.stringify({ keys: [{ ...(await exportJWK(keys.publicKey)), alg: 'ES256' }] })
    server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    verify = await verifier(`http://127.0.0.1:${port}/`)
  })
  group.teardown(() => void server.close())

  function sign({ claims, typ = 'logout+jwt', ageSeconds = 0 }: Partial<(typeof FORGED)[number]>) {
    const iat = Math.floor(Date.now() / 1_000) - ageSeconds
    const payload = { ...CLAIMS, jti: randomUUID(), iat, exp: iat + 600, ...claims }
    return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', typ }).sign(keys.privateKey)
  }

  test('names the session that has ended', async ({ assert }) => {
    const { sid } = await verify(await sign({}))
    assert.equal(sid, 'session')
  })

  test('one {name} is refused')
    .with(FORGED)
    .run(async ({ assert }, forged) => {
      const token = await sign(forged)
      await assert.rejects(() => verify(token))
    })

  test('one of another key, or none, is refused', async ({ assert }) => {
    const { privateKey } = await generateKeyPair('ES256')
    const header = { alg: 'ES256', typ: 'logout+jwt' }
    const claims = { ...CLAIMS, jti: randomUUID() }
    const jwt = new SignJWT(claims).setIssuedAt().setExpirationTime('2m')
    const foreign = await jwt.setProtectedHeader(header).sign(privateKey)
    const unsigned = `${Buffer.from('{"alg":"none","typ":"logout+jwt"}').toString('base64url')}.${foreign.split('.')[1]}.`
    for (const token of [foreign, unsigned, '', undefined]) {
      await assert.rejects(() => verify(token))
    }
  })
})
