import db from '@adonisjs/lucid/services/db'
import limits from '#config/limits'
import { SYSTEM } from '#audit/actor'
import { readOutboundDocument, readPublicDocument } from '#network/public_document'
import { giveConsent } from '#oidc/consents/consents'
import { saveDocument } from '#oidc/client_id_metadata/document_rows'
import { withinShare } from '#oidc/client_id_metadata/read_limits'
import { ClientDocuments } from '#tests/servers/client_documents'
import { createUser, someAddress } from '#tests/support/fixtures'
import { assertionOf, byAssertion, clientKey, strongClient } from '#tests/support/strong_clients'
import { post } from '#tests/functional/oidc/attacker'
import type { LimitRow } from './limits.ts'

/* The limits on the documents of clients, which anybody can name. */

interface Reading {
  url: string
  ip: string
}

/** Reads documents, and returns whether the last reading succeeds. */
async function isRead(count: number, reading: () => Reading) {
  let isLast = true
  for (let number = 1; number <= count; number++) {
    const { url, ip } = reading()
    const read = withinShare({ url: new URL(url), ip }, async () => true)
    isLast = await read.catch(() => false)
  }
  return isLast
}

/** Returns whether this many are read concurrently: all begin or are refused before one ends. */
async function areReadAtOnce(count: number, reading: () => Reading) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const outcomes: ('read' | 'refused')[] = []
  const read = () => {
    outcomes.push('read')
    return promise
  }
  const refuse = () => void outcomes.push('refused')
  const readings = Array.from({ length: count }, () => {
    const { url, ip } = reading()
    return withinShare({ url: new URL(url), ip }, read).catch(refuse)
  })
  while (outcomes.length < count) await new Promise(setImmediate)
  resolve()
  await Promise.all(readings)
  return !outcomes.includes('refused')
}

let hosts = 0

const newHost = () => `https://host-${hosts++}.example`

async function consentedUrl() {
  const { id: userId } = await createUser()
  const clientId = new URL('/client', newHost()).href
  await giveConsent({ userId, clientId }, { scopes: ['openid'], resources: [] }, SYSTEM)
  return clientId
}

/** Returns whether this many documents are kept, whose clients have a consent or none. */
async function areKept(count: number, newUrl: () => string | Promise<string>) {
  const rows = () => db.from('oauth_client_documents')
  await rows().delete()
  for (let readAt = 1; readAt <= count; readAt++) {
    const times = { readAt, freshUntil: Date.now() + 60_000 }
    await saveDocument(await newUrl(), { text: '{}', ...times })
  }
  const kept = await rows()
  return kept.length === count
}

/** Returns whether a document of this many bytes is read. */
async function isReadWhole(
  bytes: number,
  read = (url: URL) => readPublicDocument(url, limits.clientDocumentSize)
) {
  const server = await new ClientDocuments().start()
  server.answers.set('/client', (_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('x'.repeat(bytes))
  })
  const document = read(new URL(server.url('/client')))
  const isWhole = await document.then(
    ({ text }) => text.length === bytes,
    () => false
  )
  server.stop()
  return isWhole
}

export const DOCUMENT_LIMITS = {
  clientDocument: {
    isAllowed: (count) => {
      const ip = someAddress()
      return isRead(count, () => ({ url: newHost(), ip }))
    },
  },
  clientDocumentShare: {
    isAllowed: (count) => {
      const [url, ip] = [newHost(), someAddress()]
      return isRead(count, () => ({ url, ip }))
    },
  },
  clientDocumentHost: {
    isAllowed: (count) => {
      const url = newHost()
      return isRead(count, () => ({ url, ip: someAddress() }))
    },
  },
  clientDocumentSize: { isAllowed: (bytes) => isReadWhole(bytes) },
  clientKeySet: {
    isAllowed: (bytes) =>
      isReadWhole(bytes, (url) => readOutboundDocument(url, limits.clientKeySet)),
  },
  remoteKeys: {
    isAllowed: async (count) => {
      const server = await new ClientDocuments().start()
      const key = await clientKey()
      const keys = [...Array.from({ length: count - 1 }, () => ({})), key.jwk]
      const jwksUri = server.serve('/keys', { keys })
      const scene = await strongClient(key, { jwksUri })
      const form = { token: 'x', ...byAssertion(await assertionOf(scene)) }
      const { status } = await post('/oauth/introspect', form)
      server.stop()
      return status === 200
    },
  },
  clientAssertions: {
    lowered: 2,
    isAllowed: async (count) => {
      const scene = await strongClient(await clientKey())
      let isLast = true
      for (let number = 1; number <= count; number++) {
        const form = { token: 'x', ...byAssertion(await assertionOf(scene)) }
        const { status } = await post('/oauth/introspect', form)
        isLast = status === 200
      }
      return isLast
    },
  },
  clientDocumentsAtOnce: {
    isAllowed: (count) => {
      const ip = someAddress()
      return areReadAtOnce(count, () => ({ url: newHost(), ip }))
    },
  },
  clientDocumentReads: {
    isAllowed: (count) => areReadAtOnce(count, () => ({ url: newHost(), ip: someAddress() })),
  },
  consentedDocumentReads: {
    isAllowed: async (count) => {
      const url = await consentedUrl()
      return areReadAtOnce(count, () => ({ url, ip: someAddress() }))
    },
  },
  clientDocuments: { lowered: 2, isAllowed: (count) => areKept(count, newHost) },
  allClientDocuments: { lowered: 2, isAllowed: (count) => areKept(count, consentedUrl) },
} satisfies Record<string, LimitRow>
