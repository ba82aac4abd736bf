import { test } from '@japa/runner'
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { createSigner, newWebhookSecret } from '#webhooks/signature'

const BODY = JSON.stringify({ type: 'user.created', data: { name: 'Zoë €𝄞' } })
const ID = '01a1fd70-f1c0-7a1f-8b62-c07d94e5f318'

async function signed(secrets: string[], timestamp = Date.now()) {
  const sign = await createSigner(secrets)
  return sign(BODY, { id: ID, timestamp })
}

test.group('Webhooks | signature', () => {
  test('{$self} verifies with either of two secrets')
    .with(['standardwebhooks', 'svix'])
    .run(async ({ assert }, library) => {
      const secrets = [newWebhookSecret(), newWebhookSecret()]
      const headers = await signed(secrets)
      for (const secret of secrets) {
        const verifier = library === 'svix' ? new Svix(secret) : new Standard(secret)
        assert.deepEqual(verifier.verify(BODY, headers), JSON.parse(BODY))
      }
    })

  test('another secret, body, id or time is refused', async ({ assert }) => {
    const secret = newWebhookSecret()
    const headers = await signed([secret])
    const later = String(Number(headers['webhook-timestamp']) + 1)
    const verify = (body: string, changed: object, by = secret) =>
      new Standard(by).verify(body, { ...headers, ...changed })
    assert.throws(() => verify(BODY, {}, newWebhookSecret()), /No matching signature/)
    assert.throws(() => verify(`${BODY} `, {}), /No matching signature/)
    assert.throws(() => verify(BODY, { 'webhook-id': 'other' }), /No matching signature/)
    assert.throws(() => verify(BODY, { 'webhook-timestamp': later }), /No matching signature/)
  })

  test('an old signature is refused', async ({ assert }) => {
    const secret = newWebhookSecret()
    const headers = await signed([secret], Date.now() - 301_000)
    assert.throws(() => new Standard(secret).verify(BODY, headers), /too old/)
  })

  test('a secret has 256 random bits and its prefix', ({ assert }) => {
    const [one, other] = [newWebhookSecret(), newWebhookSecret()]
    assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.notEqual(one, other)
  })
})
