import { test } from '@japa/runner'
import env from '#start/env'
import settings from '#config/oidc'
import { CLIENT_QUEUE } from '#config/queue'
import { giveConsent } from '#oidc/consents/consents'
import { deleteMetadataClient } from '#oidc/client_id_metadata/metadata_clients'
import { saveDocument } from '#oidc/client_id_metadata/document_rows'
import { SYSTEM } from '#audit/actor'
import { createAdmin, keyOf } from '#tests/support/fixtures'
import { browserOf, configure, REDIRECT, tokensOf } from '#tests/support/oidc'
import { drain } from '#tests/support/mail'
import { EVENTS } from './openid_events.ts'
import { OUTCOMES } from './openid_outcomes.ts'
import { OF_OTHERS, SCOPE, STEPS, type Scene } from './openid_steps.ts'
import type { ApiClient } from '@japa/api-client'

/*
 | Clients that describe themselves, compared with registered clients: for each step and event of a
 | person both have one outcome (`openid_steps.spec.ts`). The rest is only for the former.
 */

const CLIENT_ID = new URL('/client.json', REDIRECT).href

const DOCUMENT = {
  client_id: CLIENT_ID,
  redirect_uris: [REDIRECT],
  grant_types: ['authorization_code', 'refresh_token'],
}

/** Makes a scene with a document that was just read, after earlier deletions of its client. */
async function documentScene(client: ApiClient): Promise<Scene> {
  await drain(CLIENT_QUEUE)
  const user = await createAdmin()
  const now = Date.now()
  const stored = { text: JSON.stringify(DOCUMENT), readAt: now, freshUntil: now + 3_600_000 }
  await saveDocument(CLIENT_ID, stored)
  const request = { scopes: SCOPE.split(' '), resources: [settings.issuer, OF_OTHERS.resource] }
  await giveConsent({ userId: user.id, clientId: CLIENT_ID }, request, SYSTEM)
  const config = await configure(CLIENT_ID, null)
  return {
    client,
    user,
    app: { client: { clientId: CLIENT_ID } as any, clientSecret: null, config },
  }
}

const STEPS_OF_BOTH = [
  'the sign-in',
  'the second factor',
  'the consent',
  'another authorization',
  'a pushed request',
  'the code',
  'the refresh',
  'userinfo',
  'the API',
] as const

const EVENTS_OF_BOTH = [
  'nothing',
  'a lock by failures',
  'a lock by an administrator',
  'disabling',
  'losing the verified address',
  'a password to be changed',
  'a new password',
  'deletion',
  'demotion',
  'enrolment in MFA elsewhere',
  'the person signing out of all',
  'the end of the web session',
  'the end of the grant',
  'withdrawal of the consent',
] as const

type StepName = (typeof STEPS_OF_BOTH)[number]

function withDocuments() {
  settings.documents.isOn = true
  env.set('REQUIRE_VERIFIED_EMAIL', true)
  return () => {
    Object.assign(settings.documents, { isOn: false, hosts: [] })
    env.set('REQUIRE_VERIFIED_EMAIL', false)
  }
}

test.group('Matrix | document clients by event', (group) => {
  group.each.setup(withDocuments)

  const cells = EVENTS_OF_BOTH.flatMap((event) => STEPS_OF_BOTH.map((step) => ({ event, step })))

  test('{step} after {event} ends as for a registered client')
    .with(cells)
    .run(async ({ client, assert }, { event, step }) => {
      await createAdmin()
      const scene = await documentScene(client)
      const goOn = await STEPS[step](scene)
      await EVENTS[event](scene)
      assert.equal(await goOn(), OUTCOMES[event][step])
    })
})

const OF_DOCUMENTS: Record<string, () => unknown> = {
  'the setting is off': () => (settings.documents.isOn = false),
  'its host is allowed no more': () => (settings.documents.hosts = ['other.example']),
  'its deletion': () => deleteMetadataClient(CLIENT_ID, SYSTEM),
}

const GONE: Partial<Record<StepName, string>> = {
  'another authorization': '400 /oauth/authorize',
  'a pushed request': '400 /oauth/authorize',
  'the code': 'invalid_client',
  'the refresh': 'invalid_client',
  'userinfo': 'invalid_token',
  'the API': '401 E_TOKEN_REVOKED',
}

const MATRIX: Record<keyof typeof OF_DOCUMENTS, Partial<Record<StepName, string>>> = {
  'the setting is off': GONE,
  'its host is allowed no more': { ...GONE, userinfo: 'invalid_client' },
  'its deletion': GONE,
}

test.group('Matrix | document clients by what ends them', (group) => {
  group.each.setup(withDocuments)

  const cells = Object.entries(MATRIX).flatMap(([event, outcomes]) =>
    Object.entries(outcomes).map(([step, outcome]) => ({ event, step: step as StepName, outcome }))
  )

  test('{step} after {event}: {outcome}')
    .with(cells)
    .run(async ({ client, assert }, { event, step, outcome }) => {
      const scene = await documentScene(client)
      const goOn = await STEPS[step](scene)
      await OF_DOCUMENTS[event]()
      assert.equal(await goOn(), outcome)
    })

  test('introspection of its token by a key after {$self}: inactive')
    .with(Object.keys(OF_DOCUMENTS))
    .run(async ({ client, assert }, event) => {
      const { app, user } = await documentScene(client)
      const asked = { scope: SCOPE, resource: settings.issuer }
      const { access_token: token } = await tokensOf(app, await browserOf(user), asked)
      const { headers } = await keyOf(user, ['tokens:introspect'])
      const isActive = async () => {
        const response = await client.post('/oauth/introspect').headers(headers).form({ token })
        return response.body().active
      }
      assert.isTrue(await isActive())
      await OF_DOCUMENTS[event]()
      assert.isFalse(await isActive())
    })
})
