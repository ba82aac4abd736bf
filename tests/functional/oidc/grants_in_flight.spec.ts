import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import * as oidc from 'openid-client'
import { v7 as uuidv7 } from 'uuid'
import limits from '#config/limits'
import { endSessions } from '#auth/sessions/sessions'
import { addConsent, giveConsent, isConsented } from '#oidc/consents/consents'
import { revokeConsent } from '#oidc/grants/end_grants'
import { DEVICE_GRANT } from '#oidc/clients/client'
import { deleteClient } from '#oidc/clients/clients'
import { deleteMetadataClient } from '#oidc/client_id_metadata/metadata_clients'
import { forgetDeletedClient, noteDeletedClient } from '#auth/tokens/deleted_clients'
import { E_NOT_FOUND, E_UNAVAILABLE } from '#exceptions/http_errors'
import { lockUser, unlockUser } from '#users/lock_user'
import { SYSTEM } from '#audit/actor'
import { createUser } from '#tests/support/fixtures'
import { beforeCount } from '#tests/support/held_count'
import { beforeVerify } from '#tests/support/held_hash'
import { endedOrBlocked, holdTransaction } from '#tests/support/held_transaction'
import { setLimit } from '#tests/support/limits'
import { application, authorizationRequest, browserOf, tokensOf } from '#tests/support/oidc'
import { digestOf } from '#tests/support/secret_digests'
import type { Page } from '#tests/support/oidc'

/* What happens between the checks of an authorization and its grant, and what a grant contains. */

test.group('Grant | extended', () => {
  const grantsOf = (userId: string) =>
    db.from('oauth_records').where({ kind: 'Grant', user_id: userId })

  async function granted(kind: 'first_party' | 'third_party') {
    const [app, user] = [await application({ kind }), await createUser()]
    const consent = { userId: user.id, clientId: app.client.clientId }
    const access = { scopes: ['openid', 'profile', 'email'], resources: [] }
    if (kind === 'third_party') await giveConsent(consent, access, SYSTEM)
    const browser = await browserOf(user)
    await tokensOf(app, browser, { scope: 'openid' })
    const ask = async (scope: string) => {
      const { url } = await authorizationRequest(app, { scope })
      return browser.open(url)
    }
    return { user, consent, ask }
  }

  test('a withdrawal meanwhile is not overtaken', async ({ assert }) => {
    const { user, consent, ask } = await granted('third_party')
    const { begun, release } = holdTransaction()
    const asked = ask('openid email')
    await begun
    await revokeConsent(consent, SYSTEM)
    release()
    const { url } = await asked
    assert.equal(url.searchParams.get('error'), 'access_denied')
    assert.lengthOf(await grantsOf(user.id), 0)
  })

  test('two requests at once keep what both add', async ({ assert }) => {
    const { user, ask } = await granted('first_party')
    const { begun, release } = holdTransaction()
    const asked = ask('openid email')
    await begun
    await ask('openid profile')
    release()
    await asked
    const [{ payload }] = await grantsOf(user.id)
    assert.sameMembers(JSON.parse(payload).openid.scope.split(' '), ['openid', 'email', 'profile'])
  })
})

test.group('Device | answered', () => {
  const ANSWER = /^\/oauth\/device\/answer$/

  async function waiting() {
    const app = await application({ redirectUris: [], grantTypes: [DEVICE_GRANT] })
    const user = await createUser()
    const browser = await browserOf(user)
    const started = await oidc.initiateDeviceAuthorization(app.config, { scope: 'openid' })
    const form = await browser.open(started.verification_uri)
    const { user_code: code } = started
    const page = await browser.submit(form, /^\/oauth\/device$/, { user_code: code })
    const allow = (on: Page = page) => browser.send(on, ANSWER, { decision: 'allow' })
    const poll = () =>
      oidc.genericGrantRequest(app.config, DEVICE_GRANT, { device_code: started.device_code })
    const consent = { userId: user.id, clientId: app.client.clientId }
    return { user, consent, allow, poll }
  }

  test('what is refused at the grant leaves no consent, and the code waits', async ({ assert }) => {
    const { user, consent, allow, poll } = await waiting()
    const { begun, release } = holdTransaction()
    const answer = allow()
    await begun
    await lockUser(user.id, Date.now() + 3_600_000, SYSTEM)
    release()
    const { status } = await answer
    assert.equal(status, 400)
    assert.isFalse(await isConsented(consent, { scopes: ['openid'], resources: [] }))
    await unlockUser(user.id, SYSTEM)
    await allow()
    await assert.doesNotReject(poll)
  })

  test('answer {number} of a user in a quarter of an hour is {status}')
    .with([
      { number: 2, status: 200 },
      { number: 3, status: 200 },
      { number: 4, status: 429 },
    ])
    .run(async ({ assert }, { number, status }) => {
      setLimit(limits.profileChange, 3)
      const { user } = await waiting()
      const browser = await browserOf(user)
      let last = 0
      for (let count = 1; count <= number; count++) {
        const { status: answered } = await answerAnother(browser)
        last = answered
      }
      assert.equal(last, status)
    })

  async function answerAnother(browser: Awaited<ReturnType<typeof browserOf>>) {
    const app = await application({ redirectUris: [], grantTypes: [DEVICE_GRANT] })
    const started = await oidc.initiateDeviceAuthorization(app.config, { scope: 'openid' })
    const form = await browser.open(started.verification_uri)
    const page = await browser.submit(form, /^\/oauth\/device$/, { user_code: started.user_code })
    return browser.send(page, ANSWER, { decision: 'allow' })
  }
})

const ACCESS = { scopes: ['openid'], resources: [] }

const consentsTo = (clientId: string) => db.from('oauth_consents').where('client_id', clientId)

test.group('Client | deleted while a user consents', () => {
  async function asked() {
    const [{ client }, { id: userId }] = [await application(), await createUser()]
    return { client, consent: { userId, clientId: client.clientId } }
  }

  test('a consent that comes later is not stored', async ({ assert }) => {
    const { client, consent } = await asked()
    await deleteClient(client.id, SYSTEM)
    await assert.rejects(() => giveConsent(consent, ACCESS, SYSTEM), E_NOT_FOUND)
    assert.lengthOf(await consentsTo(client.clientId), 0)
  })

  test('a consent that came first goes with the client', async ({ assert }) => {
    const { client, consent } = await asked()
    const trx = await db.transaction()
    await addConsent(consent, ACCESS, { actor: SYSTEM, trx })
    const deletion = deleteClient(client.id, SYSTEM)
    await endedOrBlocked(deletion)
    await trx.commit()
    await deletion
    assert.lengthOf(await consentsTo(client.clientId), 0)
  })
})

test.group('Client that describes itself | deleted', () => {
  const newClientId = () => `https://${uuidv7()}.example.org/client.json`

  async function usedClient() {
    const [clientId, user] = [newClientId(), await createUser()]
    await giveConsent({ userId: user.id, clientId }, ACCESS, SYSTEM)
    return { clientId, consent: { userId: user.id, clientId } }
  }

  test('what a user allows it meanwhile goes too', async ({ assert }) => {
    const [{ clientId }, user] = [await usedClient(), await createUser()]
    const trx = await db.transaction()
    await addConsent({ userId: user.id, clientId }, ACCESS, { actor: SYSTEM, trx })
    const deletion = deleteMetadataClient(clientId, SYSTEM)
    await endedOrBlocked(deletion)
    await trx.commit()
    await deletion
    assert.lengthOf(await consentsTo(clientId), 0)
  })

  test('no user consents until the client’s sessions end', async ({ assert }) => {
    const { clientId, consent } = await usedClient()
    const client = { clientId, backchannelLogoutUri: null }
    await db.transaction((trx) => noteDeletedClient(client, trx))
    const further = { scopes: ['openid', 'email'], resources: [] }
    await assert.rejects(() => giveConsent(consent, further, SYSTEM), E_UNAVAILABLE)
    await forgetDeletedClient(clientId)
    await assert.doesNotReject(() => giveConsent(consent, further, SYSTEM))
  })
})

test.group('Code | redeemed', () => {
  /** Returns a code of a user, and a function that returns the error of its redemption. */
  async function redeemable() {
    const [app, user] = [await application({ kind: 'first_party' }), await createUser()]
    const browser = await browserOf(user)
    const { url, checks } = await authorizationRequest(app)
    const answer = await browser.open(url)
    const redeem = () =>
      oidc
        .authorizationCodeGrant(app.config, answer.url, checks)
        .then(() => null)
        .catch((caught) => caught.error)
    return { app, user, redeem }
  }

  test('a session that ends behind the hash of a secret gets no token', async ({ assert }) => {
    const { app, user, redeem } = await redeemable()
    const digest = digestOf(app.clientSecret!)
    const row = db.from('oauth_clients').where('client_id', app.client.clientId)
    await row.update({ secret_hash: null, secret_digest: digest })
    beforeVerify(digest, () => endSessions(user.id))
    assert.equal(await redeem(), 'invalid_grant')
  })

  test('a session that ends before the turn of its client gets no token', async ({ assert }) => {
    const { app, user, redeem } = await redeemable()
    const key = `client-secret:{${app.client.clientId}}`
    beforeCount(limits.clientSecret, key, () => endSessions(user.id))
    assert.equal(await redeem(), 'invalid_grant')
  })
})
