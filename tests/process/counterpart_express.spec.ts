import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from '@japa/runner'
import { freePort } from '#tests/support/free_port'
import { typeCredentials, visit, withBrowser } from '../browser/visitor.ts'
import { IdentityProduct } from './identity_product.ts'
import { cleanEnvironment } from './product.ts'

/* JavaScript libraries in a browser, with only the options of their read-me. */

const PROGRAM = join(import.meta.dirname, '../counterparts/express_app.js')

const APPLICATIONS = [
  { library: 'passport-openidconnect', mode: 'default' },
  { library: 'express-openid-connect', mode: 'default' },
  { library: 'express-openid-connect', mode: 'form_post' },
  { library: 'openid-client 5', mode: 'default' },
  { library: 'openid-client 5', mode: 'form_post' },
  { library: 'openid-client 6', mode: 'default' },
]

/** The library runs in the browser, so that it has no secret. */
const OF_BROWSER = { library: 'oidc-client-ts', mode: 'default' }

/** The authentication methods of libraries that send no Basic header. */
const METHODS: Record<string, string> = {
  [OF_BROWSER.library]: 'none',
  'openid-client 6': 'client_secret_post',
}

/** Starts an application, and returns its address when it answers. */
async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const { done } = await lines.next()
  if (done) throw new Error(`${env.LIBRARY} stopped`)
  return child
}

async function stop(child: ChildProcess) {
  const closed = once(child, 'close')
  child.kill('SIGKILL')
  await closed
}

test.group('Counterpart | Express', (group) => {
  withBrowser(group)

  let gatehouse: IdentityProduct
  group.setup(async () => {
    gatehouse = await IdentityProduct.start({ LOGIN_THROTTLE_LIMIT: '0' })
  })
  group.teardown(() => gatehouse.remove())

  async function withApplication(
    { library, mode }: (typeof APPLICATIONS)[number],
    use: (url: string) => Promise<void>
  ) {
    const PORT = String(await freePort())
    const url = `http://localhost:${PORT}`
    const settings = { kind: 'first_party', redirectUris: [`${url}/callback`] }
    const tokenEndpointAuthMethod = METHODS[library]
    const method = tokenEndpointAuthMethod ? { tokenEndpointAuthMethod } : {}
    const { clientId, clientSecret } = await gatehouse.register({ ...settings, ...method })
    const client = { CLIENT_ID: clientId, ...(clientSecret && { CLIENT_SECRET: clientSecret }) }
    const about = {
      LIBRARY: library,
      ISSUER: gatehouse.issuer,
      PORT,
      RESPONSE_MODE: mode === 'default' ? '' : mode,
    }
    const child = await start({ ...about, ...client })
    await use(url).finally(() => stop(child))
  }

  test('{library} signs a user in: mode {mode}, scripts {javaScriptEnabled}')
    .with([
      ...[true, false].flatMap((javaScriptEnabled) =>
        APPLICATIONS.map((each) => ({ ...each, javaScriptEnabled }))
      ),
      { ...OF_BROWSER, javaScriptEnabled: true },
    ])
    .run(async ({ assert }, { javaScriptEnabled, ...application }) => {
      const user = await gatehouse.newUser()
      const page = await visit({ javaScriptEnabled })
      await withApplication(application, async (url) => {
        await page.goto(url)
        await typeCredentials(page, user.email)
        if (application.mode === 'form_post' && !javaScriptEnabled) {
          await page.getByRole('button', { name: 'Continue' }).click()
        }
        await page.waitForURL(`${url}/`)
        const shown = page.locator('pre', { hasText: user.id })
        assert.include(await shown.innerText(), user.email)
      })
    })
})
