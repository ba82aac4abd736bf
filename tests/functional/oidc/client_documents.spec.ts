import { test } from '@japa/runner'
import * as oidc from 'openid-client'
import settings from '#config/oidc'
import { listSessions } from '#auth/sessions/sessions'
import { listApplications } from '#oidc/grants/applications'
import {
  deleteMetadataClient,
  listMetadataClients,
} from '#oidc/client_id_metadata/metadata_clients'
import { saveDocument } from '#oidc/client_id_metadata/document_rows'
import { SYSTEM } from '#audit/actor'
import { createUser } from '#tests/support/fixtures'
import { browserOf, throughProxy } from '#tests/support/oidc'
import {
  allow,
  documents,
  INTERACTION,
  openRequest,
  pageOf,
  request,
  withDocuments,
} from '#tests/support/client_documents'

test.group('Client metadata document | sign-in', (group) => {
  withDocuments(group)

  test('a client without a registration signs people in', async ({ assert }) => {
    const user = await createUser()
    const browser = await browserOf(user)
    const scope = { scope: 'openid email offline_access', prompt: 'consent' }
    const { config, url, checks } = await request(documents.serve('/client.json'), scope)
    const answer = await allow(browser, await browser.open(url))
    const tokens = await oidc.authorizationCodeGrant(config, answer.url, checks)
    assert.equal(tokens.claims()!.sub, user.id)
    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token!)
    assert.notEqual(renewed.refresh_token, tokens.refresh_token)
    assert.equal(documents.requests, 1)
  })

  test('the consent shows its name, its host and where it leads', async ({ assert }) => {
    const clientId = documents.serve('/client.json', { client_name: 'Grafana' })
    const { page } = await pageOf(clientId)
    const { host } = new URL(clientId)
    assert.include(page.html, `Sign in to ${host}?`)
    assert.include(page.html, '<bdi>Grafana</bdi>')
    assert.include(page.html, `You will then go to ${host}.`)
  })

  test('markup in a name is text', async ({ assert }) => {
    const name = '<img src=x onerror=alert(1)> {{ user.email }} שלום'
    const { page } = await pageOf(documents.serve('/client.json', { client_name: name }))
    assert.notInclude(page.html, '<img src=x')
    assert.include(page.html, '&lt;img')
    assert.include(page.html, '{{ user.email }} שלום')
  })

  test('its sessions are named by its host, whatever it calls itself', async ({ assert }) => {
    const user = await createUser()
    const browser = await browserOf(user)
    const clientId = documents.serve('/client.json', { client_name: 'Grafana' })
    const { config, url, checks } = await request(clientId)
    const answer = await allow(browser, await browser.open(url))
    await oidc.authorizationCodeGrant(config, answer.url, checks)
    const sessions = await browser.open('http://gatehouse.test/account/sessions')
    assert.include(sessions.html, `${new URL(clientId).host} · Chrome on Linux`)
    assert.notInclude(sessions.html, 'Grafana')
  })

  test('a host that begins with another is named by its end', async ({ assert }) => {
    const host = `grafana.example.com.${'a'.repeat(50)}.evil.example`
    const clientId = `https://${host}/client.json`
    const text = JSON.stringify({ client_id: clientId, redirect_uris: [`https://${host}/back`] })
    const now = Date.now()
    await saveDocument(clientId, { text, readAt: now, freshUntil: now + 60_000 })
    const user = await createUser()
    const browser = await browserOf(user)
    const page = await openRequest(browser, clientId, { redirect_uri: `https://${host}/back` })
    await allow(browser, page)
    const sessions = await listSessions(user.id)
    const names = sessions.map(({ deviceName }) => deviceName)
    assert.include(names, `…${host.slice(-59)} · Chrome on Linux`)
  })

  test('the account lists it and withdraws it', async ({ assert }) => {
    const user = await createUser()
    const browser = await browserOf(user)
    const clientId = documents.serve('/client.json')
    const { config, url, checks } = await request(clientId)
    const answer = await allow(browser, await browser.open(url))
    const tokens = await oidc.authorizationCodeGrant(config, answer.url, checks)
    const list = await browser.open('http://gatehouse.test/account/applications')
    assert.include(list.html, new URL(clientId).host)
    const after = await browser.submit(list, /\/withdraw$/)
    assert.notInclude(after.html, new URL(clientId).host)
    await assert.rejects(() => oidc.fetchUserInfo(config, tokens.access_token, user.id))
  })

  test('a program of the computer is asked for each time', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const clientId = documents.serve('/client.json')
    const redirect = { redirect_uri: 'http://127.0.0.1:51234/callback' }
    const first = await openRequest(browser, clientId, redirect)
    assert.include(first.html, 'a program on this computer')
    const answer = await allow(browser, first)
    assert.equal(answer.url.origin, 'http://127.0.0.1:51234')
    const again = await openRequest(browser, clientId, redirect)
    assert.match(again.url.pathname, INTERACTION)
  })

  test('a page of its own origin is asked for once', async ({ assert }) => {
    const browser = await browserOf(await createUser())
    const clientId = documents.serve('/client.json')
    await allow(browser, await openRequest(browser, clientId))
    const again = await openRequest(browser, clientId)
    assert.equal(again.url.pathname, '/callback')
  })

  test('an address that its document does not name is not gone to', async ({ assert }) => {
    const clientId = documents.serve('/client.json')
    const { page } = await pageOf(clientId, { redirect_uri: documents.url('/other') })
    assert.equal(page.response.status, 400)
    assert.include(page.html, 'Unknown address')
  })

  async function descriptionOf(path: string, parameters: Record<string, string>) {
    const body = new URLSearchParams(parameters)
    const response = await throughProxy(`${settings.issuer}${path}`, { method: 'POST', body })
    const { error, error_description: description }: any = await response.json()
    return `${response.status} ${error}: ${description}`
  }

  test('{grant_type} is not for it, though it says so')
    .with([
      { grant_type: 'client_credentials' },
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' },
    ])
    .run(async ({ assert }, { grant_type: grantType }) => {
      const members = { grant_types: ['authorization_code', grantType] }
      const clientId = documents.serve('/client.json', members)
      const answer = await descriptionOf('/oauth/token', {
        client_id: clientId,
        grant_type: grantType,
      })
      assert.match(answer, /^400 unauthorized_client: .* not allowed for this client$/)
    })

  test('it can start no flow of devices', async ({ assert }) => {
    const clientId = documents.serve('/client.json')
    const answer = await descriptionOf('/oauth/device/authorization', { client_id: clientId })
    assert.match(answer, /^400 unauthorized_client: .* not allowed for this client$/)
  })

  test('a scope that the operator has not allowed is not granted', async ({ assert }) => {
    const clientId = documents.serve('/client.json', { scope: 'openid users:write' })
    const asked = { scope: 'openid users:write mcp:tools', resource: settings.issuer }
    const { page } = await pageOf(clientId, asked)
    assert.notInclude(page.html, 'change the accounts')
    assert.notInclude(page.html, 'applications.scopes')
  })
})

test.group('Client metadata document | off and on', (group) => {
  withDocuments(group)

  async function isAnnounced() {
    const response = await throughProxy(`${settings.issuer}/.well-known/openid-configuration`)
    const body: any = await response.json()
    return body.client_id_metadata_document_supported
  }

  test('off, the client is unknown and nothing is read', async ({ assert }) => {
    settings.documents.isOn = false
    const { page } = await pageOf(documents.serve('/client.json'))
    assert.include(page.html, 'Unknown application')
    assert.equal(documents.lookups, 0)
    assert.isUndefined(await isAnnounced())
  })

  test('on, the discovery document says so', async ({ assert }) => {
    assert.isTrue(await isAnnounced())
  })

  test('a host that is not listed is not read', async ({ assert }) => {
    settings.documents.hosts = ['other.example']
    const { page } = await pageOf(documents.serve('/client.json'))
    assert.include(page.html, 'Applications from this host are not allowed here.')
    assert.equal(documents.lookups, 0)
  })

  test('{host} allows the client of mcp.example.org')
    .with([{ host: 'mcp.example.org' }, { host: 'example.org' }])
    .run(async ({ assert }, { host }) => {
      settings.documents.hosts = [host]
      const { page } = await pageOf(documents.serve('/client.json'))
      assert.match(page.url.pathname, INTERACTION)
    })
})

test.group('Client metadata document | operator', (group) => {
  withDocuments(group)

  test('those that people allowed are listed', async ({ assert }) => {
    const clientId = documents.serve('/listed.json')
    const { browser, page } = await pageOf(clientId)
    await allow(browser, page)
    await pageOf(documents.serve('/unused.json'))
    const listed = await listMetadataClients()
    const found = listed.filter(({ name }) => clientId.includes(name))
    assert.deepEqual(
      found.map((client) => [client.clientId, client.users]),
      [[clientId, 1]]
    )
  })

  test('none is listed while documents are off', async ({ assert }) => {
    const clientId = documents.serve('/off.json')
    const { browser, page } = await pageOf(clientId)
    await allow(browser, page)
    settings.documents.isOn = false
    const listed = await listMetadataClients()
    assert.isEmpty(listed)
  })

  test('deleting one ends its sessions, and it asks again', async ({ assert }) => {
    const user = await createUser()
    const browser = await browserOf(user)
    const clientId = documents.serve('/deleted.json')
    const { config, url, checks } = await request(clientId)
    const answer = await allow(browser, await browser.open(url))
    const tokens = await oidc.authorizationCodeGrant(config, answer.url, checks)
    await deleteMetadataClient(clientId, SYSTEM)
    await assert.rejects(() => oidc.fetchUserInfo(config, tokens.access_token, user.id))
    assert.isEmpty(await listApplications(user.id))
    const again = await openRequest(browser, clientId)
    assert.match(again.url.pathname, INTERACTION)
  })

  test('the operator cannot delete a client without users', async ({ assert }) => {
    const unused = () => deleteMetadataClient(documents.url('/nobody.json'), SYSTEM)
    await assert.rejects(unused, /Nobody uses/)
  })
})
