import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { endWithSuite } from '#tests/support/children'
import { installPackages } from '#tests/support/debian'
import { freePort } from '#tests/support/free_port'
import { until } from '#tests/support/waiting'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { typeCredentials, visit, withBrowser } from '../browser/visitor.ts'
import { IdentityProduct } from './identity_product.ts'
import { cleanEnvironment } from './product.ts'

/* social-auth-core from Debian in a Django site: it does not use PKCE and expects RS256. */

const PROGRAM = join(import.meta.dirname, '../counterparts/social_core_site.py')

test.group('Counterpart | social-auth-core', (group) => {
  withBrowser(group)

  let gatehouse: IdentityProduct
  let folder: string
  let site: ChildProcess | undefined
  let url: string
  group.setup(async () => {
    // The Debian package python3-social-django does not declare that it needs Django.
    installPackages('python3-django', 'python3-social-auth-core')
    installPackages('python3-social-django', 'python3-jose')
    folder = temporaryFolder('social-core')
    gatehouse = await IdentityProduct.start()
    const PORT = String(await freePort())
    url = `http://localhost:${PORT}`
    const { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET } = await gatehouse.register({
      kind: 'first_party',
      redirectUris: [`${url}/complete/oidc/`],
      tokenEndpointAuthMethod: 'client_secret_post',
    })
    const client = { CLIENT_ID, CLIENT_SECRET, ISSUER: gatehouse.issuer }
    const place = { PORT, DATABASE: join(folder, 'site.sqlite3') }
    const env = { ...cleanEnvironment(), ...client, ...place }
    site = endWithSuite(spawn('/usr/bin/python3', [PROGRAM], { env, stdio: 'ignore' }))
    await until(() => fetch(url).catch(() => null))
  })
  group.teardown(async () => {
    const closed = site && once(site, 'close')
    site?.kill('SIGKILL')
    await closed
    await gatehouse?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  test('signs a user in by the handle', async ({ assert }) => {
    const user = await gatehouse.newUser()
    const page = await visit()
    await page.goto(`${url}/login/oidc/`)
    await typeCredentials(page, user.email)
    await page.waitForURL(`${url}/`)
    const { handle } = await gatehouse.request(`/users/${user.id}`)
    assert.equal(await page.locator('pre').innerText(), `${user.email} is ${handle}`)
  })
})
