import { randomBytes } from 'node:crypto'
import { test } from '@japa/runner'
import sharp from 'sharp'
import limits from '#config/limits'
import { launchBrowser } from '#tests/support/browser'
import { HOST, WebProxy, type Kind } from '#tests/servers/web_proxy'
import { ADMIN, WITH_ADMIN } from './application.ts'
import { typeCredentials } from '../browser/visitor.ts'
import { askAgain, Product } from './product.ts'

/* Nginx and Caddy from Debian, with their files in `examples/`, in front of a product on https. */

const APP_URL = `https://${HOST}`

const SETTINGS = { ...WITH_ADMIN, APP_URL, HOST: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1/32' }

/** The proxy itself uses 127.0.0.1. */
const CLIENT = '127.0.0.2'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Makes a picture of noise, which no format compresses, a little below the maximum size. */
function largePicture() {
  const [width, height] = [800, 860]
  const raw = { width, height, channels: 3 as const }
  return sharp(randomBytes(width * height * 3), { raw })
    .png()
    .toBuffer()
}

function formOf(file: Buffer) {
  const head = '--part\r\ncontent-disposition: form-data; name="file"; filename="face.png"\r\n'
  const type = 'content-type: image/png\r\n\r\n'
  return Buffer.concat([Buffer.from(head + type), file, Buffer.from('\r\n--part--\r\n')])
}

for (const kind of ['nginx', 'caddy'] satisfies Kind[]) {
  test.group(`Reverse proxy | ${kind}`, (group) => {
    let product: Product
    let proxy: WebProxy
    group.setup(async () => {
      product = await Product.start(SETTINGS)
      proxy = await WebProxy.start(kind, Number(new URL(product.url).port))
    })
    group.teardown(async () => {
      await proxy?.remove()
      await product?.remove()
    })

    async function signIn() {
      const headers = { ...JSON_TYPE, 'x-forwarded-for': '203.0.113.9' }
      const body = JSON.stringify(ADMIN)
      const options = { method: 'POST', headers, body, localAddress: CLIENT }
      const { text } = await askAgain(() => proxy.ask('/auth/login', options))
      return { authorization: `Bearer ${JSON.parse(text).accessToken}` }
    }

    test('a browser signs in, and its cookies are Secure', async ({ assert }) => {
      const names = `--host-resolver-rules=MAP ${HOST}:443 127.0.0.1:${proxy.setup.httpsPort}`
      const browser = await launchBrowser([names])
      try {
        const context = await browser.newContext({ ignoreHTTPSErrors: true })
        const page = await context.newPage()
        await page.goto(`${APP_URL}/admin`)
        await typeCredentials(page, ADMIN.email)
        await page.getByRole('link', { name: 'Users' }).first().waitFor()
        assert.equal(page.url(), `${APP_URL}/admin`)
        const cookies = await context.cookies()
        assert.isNotEmpty(cookies)
        for (const { name, secure } of cookies) assert.isTrue(secure && /^__Host-/.test(name), name)
      } finally {
        await browser.close()
      }
    })

    test('a session has the address of its client', async ({ assert }) => {
      const headers = await signIn()
      const { text } = await proxy.ask('/auth/sessions', { headers })
      assert.include(text, `"${CLIENT}"`)
      assert.notInclude(text, '203.0.113.9')
      assert.isFalse(product.hasLogged('TRUSTED_PROXIES'))
    })

    test('redirects lead to https', async ({ assert }) => {
      const plain = await proxy.askPlain('/sign-in?lang=de')
      assert.equal(plain.status, 308)
      assert.equal(plain.headers.location, `${APP_URL}/sign-in?lang=de`)
      const { status, headers } = await proxy.ask('/account')
      assert.equal(status, 302)
      assert.match(
        new URL(headers.location!, APP_URL).href,
        /^https:\/\/auth\.example\.org\/sign-in/
      )
      assert.include(headers['strict-transport-security'], 'max-age=')
    })

    test('probes are answered, and metrics are not', async ({ assert }) => {
      for (const path of ['/health', '/health/live', '/health/ready']) {
        const { status } = await askAgain(() => proxy.ask(path))
        assert.equal(status, 200, path)
      }
      const { status } = await proxy.ask('/metrics')
      assert.equal(status, 401)
      const { text } = await proxy.ask('/metrics', { headers: { host: 'localhost' } })
      assert.notInclude(text, 'process_cpu')
    })

    test('a picture of almost 2 MB is taken', async ({ assert }) => {
      const file = await largePicture()
      assert.isAbove(file.length, 0.95 * limits.pictureBytes)
      assert.isBelow(file.length, limits.pictureBytes)
      const type = { 'content-type': 'multipart/form-data; boundary=part' }
      const headers = { ...(await signIn()), ...type }
      const options = { method: 'POST', headers, body: formOf(file) }
      const { status, text } = await askAgain(() => proxy.ask('/users/avatar', options))
      assert.equal(status, 200, text)
    })

    test('a redirect with a long request passes', async ({ assert }) => {
      const form = new URLSearchParams({ client_id: 'none', state: 'x'.repeat(6_900) })
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const options = { method: 'POST', headers, body: form.toString() }
      const { status, headers: answer } = await proxy.ask('/oauth/authorize', options)
      assert.equal(status, 303)
      assert.isAbove(answer.location!.length, 6_900)
      const followed = await askAgain(() => proxy.ask(answer.location!))
      assert.equal(followed.status, 400)
      assert.include(followed.headers['content-security-policy'], "default-src 'none'")
    })
  })
}
