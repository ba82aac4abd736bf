import { createHash, randomBytes } from 'node:crypto'
import { test } from '@japa/runner'
import settings from '#config/external'
import { someEmail } from '#tests/support/fixtures'
import { HostileProvider } from '#tests/servers/hostile_provider'
import { TestBrowser } from './browser.ts'

const APP = 'http://app.gatehouse.test/welcome'
const VERIFIER = randomBytes(32).toString('base64url')
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')

test.group('External login | code challenge', (group) => {
  const hostile = new HostileProvider(process.env.OIDC_HOSTILE_ISSUER!)
  group.setup(() => hostile.start())
  group.teardown(() => hostile.stop() as Promise<void>)
  group.each.setup(() => {
    hostile.behaviour = { claims: { email: someEmail(), email_verified: true } }
  })
  group.each.teardown(() => {
    settings.returnUrls = []
  })

  /** Returns the code that the browser brings back to the page of the client. */
  async function codeFor(challenge?: string) {
    const browser = new TestBrowser()
    const query = new URLSearchParams({ returnTo: APP })
    if (challenge) query.set('code_challenge', challenge)
    const response = await browser.request(await browser.callbackOf('hostile', `?${query}`))
    return new URL(response.headers.get('location')!).searchParams.get('code')!
  }

  async function exchange(body: object) {
    const response = await new TestBrowser().request('/auth/external/exchange', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.status
  }

  test('a code with challenge is exchanged by its verifier only', async ({ assert }) => {
    const code = await codeFor(CHALLENGE)
    const bare = await exchange({ code })
    const other = await exchange({ code, code_verifier: `${VERIFIER}x` })
    const right = await exchange({ code, code_verifier: VERIFIER })
    const again = await exchange({ code, code_verifier: VERIFIER })
    assert.deepEqual([bare, other, right, again], [400, 400, 200, 400])
  })

  test('a code without challenge takes no verifier', async ({ assert }) => {
    const code = await codeFor()
    const injected = await exchange({ code, code_verifier: VERIFIER })
    const bare = await exchange({ code })
    assert.deepEqual([injected, bare], [400, 200])
  })

  test('a challenge of another form is refused')
    .with(['short', `${CHALLENGE}x`, `${CHALLENGE.slice(1)}=`])
    .run(async ({ client, assert }, challenge) => {
      const response = await client
        .get('/auth/external/hostile')
        .qs({ returnTo: APP, code_challenge: challenge })
        .redirects(0)
      response.assertStatus(400)
      assert.equal(response.body().errors[0].field, 'code_challenge')
    })

  test('RETURN_URLS requires the challenge', async ({ assert }) => {
    settings.returnUrls = [APP]
    const start = async (query: Record<string, string>) => {
      const path = `/auth/external/hostile?${new URLSearchParams(query)}`
      const response = await new TestBrowser().request(path)
      return response.status
    }
    const bare = await start({ returnTo: APP })
    const bound = await start({ returnTo: APP, code_challenge: CHALLENGE })
    const inJson = await start({})
    assert.deepEqual([bare, bound, inJson], [400, 302, 302])
  })

  test('RETURN_URLS allows whole addresses, so not {returnTo}')
    .with([
      { returnTo: `${APP}/deeper` },
      { returnTo: `${APP}?next=/` },
      { returnTo: `${APP}#x` },
      { returnTo: 'http://app.gatehouse.test/' },
      { returnTo: 'http://gatehouse.test/' },
      { returnTo: 'http://user@app.gatehouse.test/welcome' },
    ])
    .run(async ({ client, assert }, { returnTo }) => {
      settings.returnUrls = [APP]
      const query = { returnTo, code_challenge: CHALLENGE }
      const response = await client.get('/auth/external/hostile').qs(query).redirects(0)
      response.assertStatus(400)
      assert.equal(response.body().code, 'E_INVALID_RETURN_TO')
    })
})
