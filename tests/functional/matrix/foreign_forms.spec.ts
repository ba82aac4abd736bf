import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'
import { createUser, PASSWORD, someAddress } from '#tests/support/fixtures'
import { provedOn } from '#tests/support/proved_on'
import { htmlOf } from '../account/person.ts'
import { TestBrowser } from '../external/browser.ts'

provedOn('sqlite', 'Cookies decide, before anything is read.')

/*
 | Every route × a form of another site. Browsers send the form without cookies, and keep the
 | cookies that the answer sets. A new route is tested without a row.
 */

const BASE = `http://127.0.0.1:${process.env.PORT}`

/** Cookies that the pages set, and that an external sign-in leaves behind. */
const FIXED = ['page_state', 'page_values', 'external_outcome'].map((name) => `gatehouse_${name}`)

function patternsOf(method: 'GET' | 'POST') {
  const routes = Object.values(router.toJSON()).flat()
  const found = routes.filter(({ methods }) => methods.includes(method))
  return [...new Set(found.map(({ pattern }) => pattern))]
}

/** Sends a request like a browser that has never visited the pages. */
async function send(method: string, pattern: string, body?: URLSearchParams | FormData) {
  const path = pattern.replaceAll(/:\w+/g, 'x').replace('*', 'x')
  const headers = { 'accept': 'text/html', 'x-forwarded-for': someAddress() }
  const response = await fetch(BASE + path, { method, body, headers, redirect: 'manual' })
  await response.text()
  return { status: response.status, cookies: response.headers.getSetCookie() }
}

/** The two encodings of a form that the pages read. */
const FORMS: Record<string, () => URLSearchParams | FormData> = {
  'a form': () => new URLSearchParams({ email: 'ada@example.org', password: PASSWORD }),
  'a form with a file': () => {
    const form = new FormData()
    form.set('file', new Blob(['x']), 'x.png')
    return form
  },
}

test.group('Matrix | forms of other sites', () => {
  test('set no cookie on any route: {$self}')
    .with(Object.keys(FORMS))
    .run(async ({ assert }, form) => {
      const setting = []
      for (const pattern of patternsOf('POST')) {
        const { cookies } = await send('POST', pattern, FORMS[form]())
        if (cookies.length > 0) setting.push([pattern, ...cookies])
      }
      assert.deepEqual(setting, [])
    })
    .timeout(120_000)

  test('leave an open form valid', async ({ assert }) => {
    const { email } = await createUser()
    const browser = new TestBrowser()
    const page = await htmlOf(browser.request('/sign-in'))
    const [, csrf] = /name=['"]_csrf['"] value=['"]([^'"]+)/.exec(page)!
    const foreign = await send('POST', '/sign-in', FORMS['a form']())
    for (const cookie of foreign.cookies) browser.keep(cookie)
    const body = new URLSearchParams({ _csrf: csrf, email, password: PASSWORD })
    const { status } = await browser.request('/sign-in', { method: 'POST', body })
    assert.deepEqual([foreign.status, status], [403, 303])
  })

  test('are refused after a sign-in too', async ({ assert }) => {
    const { email } = await createUser()
    const browser = new TestBrowser()
    await browser.submit('/sign-in', { email, password: PASSWORD })
    const foreign = await send('POST', '/account/picture', FORMS['a form with a file']())
    for (const cookie of foreign.cookies) browser.keep(cookie)
    const { status } = await browser.request('/account')
    assert.deepEqual([foreign.status, status], [403, 200])
  })
})

test.group('Matrix | cookies of a first visit', () => {
  test('have fixed names on every route', async ({ assert }) => {
    const names = new Set<string>()
    for (const pattern of patternsOf('GET')) {
      const { cookies } = await send('GET', pattern)
      for (const cookie of cookies) names.add(cookie.split('=')[0])
    }
    assert.includeMembers([...names], FIXED.slice(0, 2))
    assert.includeMembers(FIXED, [...names])
  }).timeout(120_000)
})
