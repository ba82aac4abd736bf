import { join } from 'node:path'
import Database from 'better-sqlite3'
import { test } from '@japa/runner'
import { ace } from './ace.ts'
import { Browser } from '#tests/support/oidc'
import { ADMIN, APP_URL, SIGN_IN, useProxy, WITH_ADMIN } from './application.ts'
import { signIn } from './backend.ts'
import { Product } from './product.ts'

/*
 | Without a registered client, there is no OpenID provider: its library is not loaded, and requests
 | of strangers leave nothing behind.
 */

const LOADED = 'LOADED THE LIBRARY'

const HOOK = `
import { registerHooks } from 'node:module'
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'oidc-provider') process.stderr.write('${LOADED}')
    return next(specifier, context)
  },
})`

const WATCHED = {
  ...WITH_ADMIN,
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(HOOK)}`,
}

const hasLoaded = ({ output }: Product) => output.join('').includes(LOADED)

function rowsIn(product: Product, table: string) {
  const database = new Database(join(product.dataDir, 'gatehouse.sqlite'), { readonly: true })
  const [row] = database.prepare(`SELECT count(*) AS total FROM ${table}`).all() as any[]
  database.close()
  return row.total as number
}

const CLIENT = 'client_id=unknown&redirect_uri=https%3A%2F%2Fapp.example.org%2Fcb'
const CODE = `${CLIENT}&response_type=code&scope=openid&code_challenge=x&code_challenge_method=S256`

/** What a stranger sends, and the status of the answer. */
const REQUESTS: [path: string, form: string | null, status: number][] = [
  ['/.well-known/openid-configuration', null, 200],
  ['/.well-known/oauth-authorization-server', null, 200],
  ['/.well-known/jwks.json', null, 200],
  [`/oauth/authorize?${CODE}`, null, 400],
  ['/oauth/token', `${CLIENT}&grant_type=authorization_code&code=x&code_verifier=x`, 401],
  ['/oauth/token', `${CLIENT}&grant_type=refresh_token&refresh_token=x`, 401],
  ['/oauth/token', `${CLIENT}&grant_type=client_credentials`, 401],
  ['/oauth/par', CODE, 401],
  ['/oauth/device/authorization', `${CLIENT}&scope=openid`, 401],
  ['/oauth/revoke', `${CLIENT}&token=x`, 401],
  ['/oauth/introspect', `${CLIENT}&client_secret=x&token=x`, 401],
  ['/oauth/userinfo', null, 401],
  [`/oauth/logout?${CLIENT}`, null, 400],
]

/** Visits the pages of the account and the console as an administrator. */
async function visitPages(product: Product) {
  const restore = useProxy(() => product.url)
  const browser = new Browser()
  const signInPage = await browser.open(`${APP_URL}/sign-in`)
  await browser.submit(signInPage, SIGN_IN, ADMIN)
  const users = await browser.open(`${APP_URL}/admin/users`)
  const [, user] = /(\/admin\/users\/[0-9a-f-]{36})/.exec(users.html)!
  for (const path of ['/account', '/account/sessions', '/account/applications', user]) {
    await browser.open(APP_URL + path)
  }
  restore()
}

test.group('OpenID provider | without a client', (group) => {
  let product: Product
  group.setup(async () => {
    product = await Product.start(WATCHED)
    return () => product.remove()
  })

  function send(path: string, form: string | null) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'accept': 'text/html' }
    const options = form === null ? {} : { method: 'POST', body: form, headers }
    return fetch(product.url + path, { redirect: 'manual', ...options })
  }

  test('the library waits for the first request to it', async ({ assert }) => {
    const { token } = await signIn(product, ADMIN)
    for (const path of ['/', '/health/ready', '/api-docs-json']) await send(path, null)
    for (const path of ['/auth/profile', '/auth/sessions', '/users', '/oauth-clients']) {
      const { status } = await product.ask(path, { token })
      assert.equal(status, 200, path)
    }
    await visitPages(product)
    await product.ask('/auth/logout-all', { method: 'POST', token, body: {} })
    for (const command of ['client:list', 'doctor']) {
      const { stderr } = await ace(product.dataDir, [command], { settings: WATCHED })
      assert.notInclude(stderr, LOADED, command)
    }
    const before = hasLoaded(product)
    await send('/.well-known/openid-configuration', null)
    assert.deepEqual([before, hasLoaded(product)], [false, true])
  })

  test('refused requests leave nothing but the first key', async ({ assert }) => {
    const answers = []
    for (const [path, form] of REQUESTS) {
      const { status } = await send(path, form)
      answers.push([path, form, status])
    }
    assert.deepEqual(answers, REQUESTS)
    for (const table of ['oauth_records', 'oauth_consents', 'oauth_clients']) {
      assert.equal(rowsIn(product, table), 0, table)
    }
    assert.equal(rowsIn(product, 'signing_keys'), 1)
  })
})
