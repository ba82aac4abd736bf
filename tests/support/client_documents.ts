import db from '@adonisjs/lucid/services/db'
import settings from '#config/oidc'
import limits from '#config/limits'
import { clearAddressThrottle } from '#auth/lockout/address_throttle'
import { clear } from '#auth/lockout/rate_limit'
import { createUser } from './fixtures.ts'
import { ClientDocuments } from '#tests/servers/client_documents'
import { authorizationRequest, type Browser, browserOf, configure, type Page } from './oidc.ts'
import type { Group } from '@japa/runner/core'

/* Clients whose id is the address of a document that describes them. */

export const INTERACTION = /^\/oauth\/interaction\//

export let documents: ClientDocuments

/**
 * Starts a server of documents for each test, with the setting on and unused throttles. An earlier
 * server may have had the same port, so the stored documents are deleted.
 */
export function withDocuments(group: Group) {
  group.each.setup(async () => {
    settings.documents.isOn = true
    documents = await new ClientDocuments().start()
    await db.from('oauth_client_documents').delete()
    await clearAddressThrottle('clientDocument', '127.0.0.1')
    for (const kind of ['host', 'host-known']) {
      await clear(`client-document-${kind}:{${documents.host}}`, limits.clientDocumentHost)
    }
    return () => {
      documents.stop()
      Object.assign(settings.documents, { isOn: false, hosts: [] })
    }
  })
}

export const allow = (browser: Browser, page: Page) =>
  browser.submit(page, INTERACTION, { decision: 'allow' })

/** Makes an authorization request of the client whose document is at this address. */
export async function request(clientId: string, parameters: Record<string, string> = {}) {
  const config = await configure(clientId, null)
  const redirect = { redirect_uri: documents.url('/callback') }
  return { config, ...(await authorizationRequest({ config }, { ...redirect, ...parameters })) }
}

/** Opens the page that a person sees whom that client sends here. */
export async function pageOf(clientId: string, parameters: Record<string, string> = {}) {
  const browser = await browserOf(await createUser())
  const { url } = await request(clientId, parameters)
  return { browser, page: await browser.open(url) }
}

/** Opens the same page in an existing browser. */
export async function openRequest(
  browser: Browser,
  clientId: string,
  parameters: Record<string, string> = {}
) {
  const { url } = await request(clientId, parameters)
  return browser.open(url)
}
