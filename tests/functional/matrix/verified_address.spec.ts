import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import { createUser } from '#tests/support/fixtures'
import { allow, documents, request, withDocuments } from '#tests/support/client_documents'
import { application, authorizationRequest, browserOf, pushedRequest } from '#tests/support/oidc'
import { provedOn } from '#tests/support/proved_on'
import { waitingDevice } from '../oidc/waiting_browser.ts'
import type { NewClient } from '#oidc/clients/client_fields'
import type { Page } from '#tests/support/oidc'

provedOn('sqlite', 'one function compares the request with the user who was read')

/*
 | A client that requires a verified address × how a request arrives × what in it reads the address
 | of an unverified user. A new kind of request or a new source of the address adds its row here.
 */

interface Asked {
  settings: Partial<NewClient>
  parameters: Record<string, string>
}

const REQUESTS: Record<string, (asked: Asked) => Promise<Page>> = {
  async 'a request'({ settings, parameters }) {
    const { url } = await authorizationRequest(await application(settings), parameters)
    return open(url)
  },
  async 'a pushed request'({ settings, parameters }) {
    const { url } = await pushedRequest(await application(settings), parameters)
    return open(url)
  },
  async 'a device'({ settings, parameters: asked }) {
    const { page } = await waitingDevice({ settings, asked })
    return page
  },
}

async function open(url: URL) {
  const browser = await browserOf(await createUser({ isVerified: false }))
  return browser.open(url)
}

const NO_EMAIL = { scope: 'openid' }
const inClaims = (place: string) => ({ claims: JSON.stringify({ [place]: { email: null } }) })

const READERS: Record<string, Asked> = {
  'the scope': { settings: {}, parameters: { scope: 'openid email' } },
  'a claim of the client': { settings: { claims: { mail: 'email' } }, parameters: NO_EMAIL },
  'a claim of the client, with the scope': {
    settings: { claims: { mail: 'email' } },
    parameters: { scope: 'openid email' },
  },
  'a claim of the ID token': { settings: {}, parameters: { ...NO_EMAIL, ...inClaims('id_token') } },
  'a claim of userinfo': { settings: {}, parameters: { ...NO_EMAIL, ...inClaims('userinfo') } },
  'nothing': { settings: { claims: { uid: 'id' } }, parameters: NO_EMAIL },
}

type Kind = 'first_party' | 'third_party'

/** Without the scope, no claim of a third party reads the address, and nothing waits. */
const UNREAD: Record<Kind, string[]> = {
  first_party: ['nothing'],
  third_party: ['nothing', 'a claim of the client'],
}

function outcomeOf({ url, html }: Page) {
  if (url.searchParams.has('code')) return 'signed in'
  if (html.includes('Confirm your address to go on to Grafana')) return 'waits'
  return html.includes('value="allow"') ? 'asks' : html
}

function outcomeFor(kind: Kind, reader: string, by: string) {
  if (!UNREAD[kind].includes(reader)) return 'waits'
  return kind === 'third_party' || by === 'a device' ? 'asks' : 'signed in'
}

const KINDS: Kind[] = ['first_party', 'third_party']

const CELLS = KINDS.flatMap((kind) =>
  Object.keys(READERS).flatMap((reader) =>
    Object.keys(REQUESTS).map((by) => ({ kind, reader, by, outcome: outcomeFor(kind, reader, by) }))
  )
)

test.group('Matrix | verified address', () => {
  test('{by} of a {kind} client where {reader} reads it: {outcome}')
    .with(CELLS)
    .run(async ({ assert }, { kind, reader, by, outcome }) => {
      const { settings, parameters } = READERS[reader]
      const page = await REQUESTS[by]({ settings: { ...settings, kind }, parameters })
      assert.equal(outcomeOf(page), outcome)
    })
})

test.group('Matrix | verified address of a client of a document', (group) => {
  withDocuments(group)

  /** Such a client cannot require a verified address, and its own claims are not read. */
  test('{reader} goes on and tells that it is unverified')
    .with(
      Object.entries(READERS)
        .filter(([, { settings }]) => !settings.claims)
        .map(([reader, { parameters }]) => ({ reader, parameters }))
    )
    .run(async ({ assert }, { parameters }) => {
      const user = await createUser({ isVerified: false })
      const browser = await browserOf(user)
      const claims = { require_verified_email: true, claims: { mail: 'email' } }
      const { config, url, checks } = await request(documents.serve('/c.json', claims), parameters)
      const answer = await allow(browser, await browser.open(url))
      const tokens = await oidc.authorizationCodeGrant(config, answer.url, checks)
      const told = await oidc.fetchUserInfo(config, tokens.access_token, user.id)
      assert.isNotTrue(told.email_verified ?? tokens.claims()!.email_verified)
      assert.notProperty({ ...told, ...tokens.claims() }, 'mail')
    })
})
