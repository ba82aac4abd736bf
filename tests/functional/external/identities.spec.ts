import { randomUUID } from 'node:crypto'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import Identity from '#models/identity'
import User from '#models/user'
import { SYSTEM } from '#audit/actor'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import { hashToken } from '#auth/tokens/hash_token'
import { listIdentities } from '#auth/external/list_identities'
import { unlinkProvider } from '#users/unlink_identity'
import { bearer, createUser, signedIn, someEmail } from '#tests/support/fixtures'
import { holdTransaction } from '#tests/support/held_transaction'
import { giveIdentities, linkOneMore } from '#tests/support/identities'
import { mailsTo } from '#tests/support/mail'
import { recordsWhere } from '#tests/support/trail'
import { HostileProvider } from '#tests/servers/hostile_provider'
import { TestBrowser } from './browser.ts'

const PICTURE = 'https://pictures.example/ada.png'

test.group('External login | identities', (group) => {
  const hostile = new HostileProvider(process.env.OIDC_HOSTILE_ISSUER!)
  group.setup(() => hostile.start())
  group.teardown(() => hostile.stop() as Promise<void>)

  /** Makes a person at the provider, who signs in or links from now on. */
  function someone(claims: object = {}) {
    const person = { sub: randomUUID(), email: someEmail(), email_verified: true, ...claims }
    hostile.behaviour = { claims: person }
    return person
  }

  async function signIn(provider = 'hostile') {
    const browser = new TestBrowser()
    const response = await browser.request(await browser.callbackOf(provider))
    return (await response.json()) as any
  }

  async function link(headers: Record<string, string>, provider = 'hostile') {
    const browser = new TestBrowser()
    const path = `/auth/external/${provider}/link`
    const response = await browser.request(path, { method: 'POST', headers })
    const answer: any = await response.json()
    const { at } = await browser.follow(answer.url, (each) => each.includes('/callback?'))
    return browser.request(at)
  }

  /** Returns the code with which a browser is sent back to the application. */
  async function codeOf(browser: TestBrowser) {
    const query = '?returnTo=http://app.gatehouse.test/welcome?a=1'
    const response = await browser.request(await browser.callbackOf('hostile', query))
    return new URL(response.headers.get('location')!).searchParams.get('code')
  }

  async function kindsTo(email: string) {
    const mails = await mailsTo(email)
    return mails.map(({ kind }) => kind).filter((kind) => kind.startsWith('identity_'))
  }

  test('what its owner links again is an event with a mail, once', async ({ client, assert }) => {
    const { sub } = someone()
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    await link(headers)
    await db.from('identities').where('subject', sub).update({ linked_by_owner: false })
    await link(headers)
    await link(headers)
    const linked = await recordsWhere({ target_id: user.id, action: 'identity.linked' })
    assert.lengthOf(linked, 2)
    assert.deepEqual(await kindsTo(user.email), ['identity_linked', 'identity_linked'])
  })

  test('the caller lists their own identities', async ({ client, assert }) => {
    const { sub, email } = someone()
    const { accessToken } = await signIn()
    someone()
    await signIn()
    const response = await client.get('/auth/identities').headers(bearer(accessToken))
    response.assertStatus(200)
    const [{ linkedAt, lastUsedAt, ...identity }, ...others] = response.body()
    const { issuer } = hostile
    assert.deepEqual(identity, { provider: 'hostile', issuer, subject: sub, email })
    assert.isAtLeast(Date.parse(lastUsedAt), Date.parse(linkedAt))
    assert.lengthOf(others, 0)
  })

  test('identities need an access token', async ({ client }) => {
    const response = await client.get('/auth/identities')
    response.assertStatus(401)
  })

  test('the record has the identity used last', async ({ client, assert }) => {
    const user = await createUser({ isVerified: true })
    const { headers } = await signedIn(client, user)
    const first = someone()
    await link(headers, 'hostile')
    const second = someone()
    await link(headers, 'google')
    const shown = async () => {
      const response = await client.get('/auth/profile').headers(headers)
      return [response.body().provider, response.body().providerId]
    }
    const afterLinks = await shown()
    hostile.behaviour = { claims: first }
    await signIn()
    const afterLogin = await shown()
    await client.delete('/auth/external/hostile/link').headers(headers)
    const afterUnlink = await shown()
    await client.delete('/auth/external/google/link').headers(headers)
    assert.deepEqual(afterLinks, ['google', second.sub])
    assert.deepEqual(afterLogin, ['hostile', first.sub])
    assert.deepEqual(afterUnlink, ['google', second.sub])
    assert.deepEqual(await shown(), [null, null])
  })

  test('a linked identity gives a picture to who has none', async ({ client, assert }) => {
    const user = await createUser({ isVerified: true })
    const { headers } = await signedIn(client, user)
    someone({ picture: PICTURE })
    await link(headers)
    someone({ picture: `${PICTURE}?other` })
    await link(headers, 'google')
    const { avatar } = await User.findOrFail(user.id)
    assert.equal(avatar, PICTURE)
  })

  test('a login that links gives name of provider and picture', async ({ assert }) => {
    const { email } = await createUser({ isVerified: true })
    const { sub } = someone({ email, picture: PICTURE })
    await signIn()
    const user = await User.findByOrFail('email', email)
    assert.containsSubset(user.serialize(), {
      provider: 'hostile',
      providerId: sub,
      avatar: PICTURE,
    })
    assert.deepEqual(await kindsTo(email), ['identity_linked'])
  })

  test('a user without password is mailed of each change', async ({ client, assert }) => {
    const { email } = someone()
    const { accessToken, user } = await signIn()
    const atFirst = await kindsTo(email)
    someone()
    await link(bearer(accessToken), 'google')
    await client.delete('/auth/external/google/link').headers(bearer(accessToken))
    assert.deepEqual(atFirst, [])
    assert.deepEqual(await kindsTo(user.email), ['identity_linked', 'identity_unlinked'])
  })

  test('a user is mailed of what an administrator unlinks', async ({ client, assert }) => {
    const user = await createUser({ isVerified: true })
    const { headers } = await signedIn(client, user)
    someone()
    await link(headers)
    await unlinkProvider(user.id, { provider: 'hostile' }, SYSTEM)
    assert.deepEqual(await kindsTo(user.email), ['identity_linked', 'identity_unlinked'])
  })

  test('a session that ends during the callback links nothing', async ({ client, assert }) => {
    someone()
    const user = await createUser({ isVerified: true })
    const { headers } = await signedIn(client, user)
    const held = holdTransaction()
    const linking = link(headers)
    await held.begun
    await endAllSessionsAs(user.id, SYSTEM)
    held.release()
    const response = await linking
    const refused: any = await response.json()
    assert.equal(refused.code, 'E_TOKEN_REVOKED')
    assert.lengthOf(await listIdentities(user.id), 0)
  })

  test('unlinking ends the sessions of the provider', async ({ client }) => {
    const user = await createUser({ isVerified: true })
    const { headers } = await signedIn(client, user)
    someone()
    await link(headers)
    const { accessToken } = await signIn()
    const unlinked = await client.delete('/auth/external/hostile/link').headers(headers)
    unlinked.assertStatus(200)
    const thief = await client.get('/auth/profile').headers(bearer(accessToken))
    thief.assertStatus(401)
    const owner = await client.get('/auth/profile').headers(headers)
    owner.assertStatus(200)
  })

  test('a session that unlinks its own provider goes on', async ({ client }) => {
    const user = await createUser({ isVerified: true })
    const { headers } = await signedIn(client, user)
    someone()
    await link(headers)
    const [own, other] = [await signIn(), await signIn()]
    const unlinked = await client
      .delete('/auth/external/hostile/link')
      .headers(bearer(own.accessToken))
    unlinked.assertStatus(200)
    const after = await client.get('/auth/profile').headers(bearer(own.accessToken))
    after.assertStatus(200)
    const others = await client.get('/auth/profile').headers(bearer(other.accessToken))
    others.assertStatus(401)
  })

  test('unlinking by an administrator ends every such session', async ({ client }) => {
    const user = await createUser({ isVerified: true })
    const { headers } = await signedIn(client, user)
    someone()
    await link(headers)
    const { accessToken } = await signIn()
    await unlinkProvider(user.id, { provider: 'hostile' }, SYSTEM)
    const theirs = await client.get('/auth/profile').headers(bearer(accessToken))
    theirs.assertStatus(401)
    const byPassword = await client.get('/auth/profile').headers(headers)
    byPassword.assertStatus(200)
  })

  test('unlinking voids the codes and challenges of the provider', async ({ client, assert }) => {
    const user = await createUser({ isVerified: true })
    const { headers } = await signedIn(client, user)
    someone({ email: user.email })
    const code = await codeOf(new TestBrowser())
    await User.query().where('id', user.id).update({ mfa_enabled: true })
    const { mfaToken } = await signIn()
    await User.query().where('id', user.id).update({ mfa_enabled: false })
    await link(headers)
    const challenge = () =>
      db.from('mfa_challenges').where('token_hash', hashToken(mfaToken)).first()
    const before = await challenge()
    await unlinkProvider(user.id, { provider: 'hostile' }, SYSTEM)
    const exchanged = await client.post('/auth/external/exchange').json({ code })
    exchanged.assertStatus(400)
    assert.equal(before?.method, 'hostile')
    assert.isNull(await challenge())
  })

  test('parallel links do not pass the limit', async ({ client, assert }) => {
    const user = await createUser()
    await giveIdentities(user, 18)
    const { sessionId } = await signedIn(client, user)
    const target = { userId: user.id, sessionId }
    const links = Array.from({ length: 4 }, () => linkOneMore(target).catch(({ code }) => code))
    const outcomes = await Promise.all(links)
    const refused = outcomes.filter((outcome) => outcome === 'E_IDENTITY_LIMIT')
    assert.lengthOf(refused, 2)
    assert.lengthOf(await listIdentities(user.id), 20)
  })

  test('a linked identity signs in at the limit', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    someone()
    await link(headers)
    await giveIdentities(user, 19)
    const { accessToken } = await signIn()
    assert.isString(accessToken)
  })

  test('a link beyond the limit is refused and recorded', async ({ client, assert }) => {
    const user = await createUser()
    const { headers } = await signedIn(client, user)
    await giveIdentities(user, 20)
    someone()
    const response = await link(headers)
    const refused: any = await response.json()
    const records = await recordsWhere({ action: 'login.refused' })
    assert.deepEqual([response.status, refused.code], [409, 'E_IDENTITY_LIMIT'])
    assert.isTrue(records.some(({ details }) => details.reason === 'identity_limit'))
    assert.deepEqual(await kindsTo(user.email), [])
  })

  test('a sign-in that loses an identity answers 409', async ({ assert }) => {
    const { sub, email } = someone()
    await createUser({ email, isVerified: true })
    const other = await createUser()
    const find = Identity.findBySubject
    /** Simulates another link at the same moment, which is committed after this read. */
    Identity.findBySubject = async () => null
    const issuer = process.env.OIDC_HOSTILE_ISSUER!
    await Identity.create({ userId: other.id, provider: 'hostile', issuer, subject: sub })
    try {
      assert.containsSubset(await signIn(), { statusCode: 409, code: 'E_IDENTITY_TAKEN' })
    } finally {
      Identity.findBySubject = find
    }
  })
})
