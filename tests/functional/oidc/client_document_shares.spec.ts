import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import env from '#start/env'
import limits from '#config/limits'
import { ipPrefix } from '#auth/lockout/count_keys'
import { giveConsent } from '#oidc/consents/consents'
import { SYSTEM } from '#audit/actor'
import { createUser } from '#tests/support/fixtures'
import { Browser, shownPath, type Page } from '#tests/support/oidc'
import { documents, openRequest, withDocuments } from '#tests/support/client_documents'

/* How much one address, which can name any document, takes away from all other addresses. */

const isRead = (page: Page) => shownPath(page) === '/sign-in'

async function countKeys(): Promise<string[]> {
  if (env.get('STORE') !== 'redis') {
    const rows: { key: string }[] = await db.from('rate_limits').select('key')
    return rows.map(({ key }) => key)
  }
  const redis = await app.container.make('redis')
  return redis.connection('main').keys('*client-document*')
}

test.group('Client metadata document | share of an address', (group) => {
  withDocuments(group)

  /** Opens documents one after another in browsers, each of which has its own address. */
  async function openMany(browsers: Browser[], each: number) {
    let page!: Page
    for (const [index, browser] of browsers.entries()) {
      for (let number = 1; number <= each; number++) {
        page = await openRequest(browser, documents.serve(`/${index}/${number}`))
      }
    }
    return page
  }

  const browsers = (count: number) => Array.from({ length: count }, () => new Browser())

  test('document {number} of a host in a minute is read: {expected}')
    .with([
      { number: 9, expected: true },
      { number: 10, expected: true },
      { number: 11, expected: false },
    ])
    .run(async ({ assert }, { number, expected }) => {
      const page = await openMany(browsers(1), number)
      assert.equal(isRead(page), expected)
    })

  test('what one address used up leaves another its share', async ({ assert }) => {
    const [one, other] = browsers(2)
    await openMany([one], 31)
    const page = await openRequest(other, documents.serve('/other'))
    assert.equal(documents.requests, 11)
    assert.isTrue(isRead(page))
  })

  test('a host is asked 30 times a minute at most', async ({ assert }) => {
    await openMany(browsers(4), 10)
    assert.equal(documents.requests, 30)
  })

  test('counts hold no address', async ({ assert }) => {
    const browser = new Browser()
    await openMany([browser], 1)
    const keys = await countKeys()
    assert.isTrue(keys.some((key) => key.includes('client-document-host')))
    assert.isFalse(keys.some((key) => key.includes(ipPrefix(browser.address))))
  })

  test('a document with a consent is read when its host is used up', async ({ assert }) => {
    const { id: userId } = await createUser()
    const clientId = documents.serve('/known')
    await giveConsent({ userId, clientId }, { scopes: ['openid'], resources: [] }, SYSTEM)
    await openMany(browsers(4), 10)
    const page = await openRequest(new Browser(), clientId)
    assert.isTrue(isRead(page))
  })
})

test.group('Client metadata document | at once', (group) => {
  withDocuments(group)

  /** Makes the server hold all responses until the test releases them. */
  function holdAll(paths: string[]) {
    const { promise, resolve } = Promise.withResolvers<void>()
    for (const path of paths) {
      documents.serve(path)
      const answer = documents.answers.get(path)!
      documents.answers.set(path, async (...both) => {
        await promise
        answer(...both)
      })
    }
    return resolve
  }

  async function whileHeld(count: number, browserAt: (index: number) => Browser) {
    const paths = Array.from({ length: count }, (_, index) => `/held/${index}`)
    const release = holdAll(paths)
    const held = paths.map((path, index) => openRequest(browserAt(index), documents.url(path)))
    while (documents.requests < count) await new Promise(setImmediate)
    return async () => {
      release()
      await Promise.all(held)
    }
  }

  test('with {held} slow documents an address reads another: {expected}')
    .with([
      { held: 4, expected: true },
      { held: 5, expected: false },
    ])
    .run(async ({ assert }, { held, expected }) => {
      const browser = new Browser()
      const end = await whileHeld(held, () => browser)
      const page = await openRequest(browser, documents.serve('/another'))
      const ofOther = await openRequest(new Browser(), documents.serve('/of-other'))
      await end()
      assert.equal(isRead(page), expected)
      assert.isTrue(isRead(ofOther))
    })

  test('the last readings are for documents with a consent', async ({ assert, cleanup }) => {
    const { clientDocumentReads, consentedDocumentReads } = limits
    Object.assign(limits, { clientDocumentReads: 2, consentedDocumentReads: 3 })
    cleanup(() => void Object.assign(limits, { clientDocumentReads, consentedDocumentReads }))
    const { id: userId } = await createUser()
    const clientId = documents.serve('/known')
    await giveConsent({ userId, clientId }, { scopes: ['openid'], resources: [] }, SYSTEM)
    const end = await whileHeld(2, () => new Browser())
    const unknown = await openRequest(new Browser(), documents.serve('/unknown'))
    const known = await openRequest(new Browser(), clientId)
    await end()
    assert.include(unknown.html, 'Unavailable')
    assert.isTrue(isRead(known))
  })
})
