import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'
import { provedOn } from '#tests/support/proved_on'
import { someAddress } from '#tests/support/fixtures'
import { PAGES } from '../matrix/callers.ts'

provedOn('sqlite', 'The body is refused, before anything is read.')

const BASE = `http://127.0.0.1:${process.env.PORT}`

/** Sends JSON like a program: every form refuses it, and API routes read it. */
async function typeOfAnswer(pattern: string) {
  const path = pattern.replaceAll(/:\w+/g, 'x')
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': someAddress() }
  const init = { method: 'POST', body: '{', headers, redirect: 'manual' as const }
  const response = await fetch(BASE + path, init)
  await response.text()
  return { status: response.status, type: response.headers.get('content-type') ?? '' }
}

test.group('Error pages', () => {
  test('come from every form of a page', async ({ assert }) => {
    for (const page of PAGES) {
      const { status, type } = await typeOfAnswer(page.replace('POST ', ''))
      assert.isAtLeast(status, 400, page)
      assert.match(type, /^text\/html/, page)
    }
  }).timeout(60_000)

  test('come from no other route', async ({ assert }) => {
    const isPage = new Set(PAGES)
    const routes = Object.values(router.toJSON()).flat()
    const others = routes
      .filter(({ methods }) => methods.includes('POST'))
      .map(({ pattern }) => pattern)
      .filter((pattern) => !isPage.has(`POST ${pattern}`) && pattern !== '/api/*')
    for (const pattern of others) {
      const { type } = await typeOfAnswer(pattern)
      assert.match(type, /^application\/json/, pattern)
    }
    assert.isAbove(others.length, 20)
  }).timeout(60_000)
})
