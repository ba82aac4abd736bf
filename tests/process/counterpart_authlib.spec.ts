import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from '@japa/runner'
import { installPackages } from '#tests/support/debian'
import { Browser, REDIRECT } from '#tests/support/oidc'
import { PASSWORD, someEmail } from '#tests/support/users'
import { IdentityProduct } from './identity_product.ts'

/* Authlib, in a separate Python program. */

const PROGRAM = join(import.meta.dirname, '../counterparts/authlib_client.py')

const INSECURE = { AUTHLIB_INSECURE_TRANSPORT: '1' }

/** Runs the application. `browse` leads from the address it prints to the address it reads. */
async function runApplication(
  env: Record<string, string>,
  browse: (url: string) => Promise<string>
) {
  const child = spawn('/usr/bin/python3', [PROGRAM], {
    env: { ...process.env, ...INSECURE, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => {
    const { value } = await lines.next()
    if (value === undefined) throw new Error(`Authlib stopped.\n${errors}`)
    return value
  }
  try {
    child.stdin.end(`${await browse(await nextLine())}\n`)
    return JSON.parse(await nextLine())
  } finally {
    child.kill()
  }
}

test.group('Counterpart | Authlib', (group) => {
  let gatehouse: IdentityProduct
  group.setup(async () => {
    installPackages('python3-authlib', 'python3-requests')
    gatehouse = await IdentityProduct.start()
  })
  group.teardown(() => gatehouse.remove())

  async function register(tokenEndpointAuthMethod: string) {
    const isPublic = tokenEndpointAuthMethod === 'none'
    const grants = ['authorization_code', 'refresh_token']
    const scopes = ['openid', 'email', 'groups', 'offline_access']
    const how = { tokenEndpointAuthMethod, grantTypes: grants, scopes }
    const settings = { redirectUris: [REDIRECT], ...how }
    if (isPublic) return gatehouse.register(settings)
    const service = { kind: 'service', username: someEmail().split('@')[0], role: 'Admin' }
    const { id: serviceAccountId } = await gatehouse.request('/users', { body: service })
    return gatehouse.register({
      ...settings,
      scopes: [...scopes, 'users:read', 'profile:read'],
      grantTypes: [...grants, 'client_credentials'],
      serviceAccountId,
    })
  }

  /** Signs in and gives consent on our pages. */
  async function browse(url: string, email: string) {
    const browser = new Browser(gatehouse.issuer)
    const page = await browser.open(url)
    const consent = await browser.submit(page, /^\/sign-in$/, { email, password: PASSWORD })
    const answer = await browser.submit(consent, /interaction/, { decision: 'allow' })
    return answer.url.href
  }

  async function memberOf(name: string) {
    const user = await gatehouse.newUser()
    const { id } = await gatehouse.request('/groups', { body: { name } })
    await gatehouse.request(`/groups/${id}/members/${user.id}`, { method: 'PUT' })
    return user
  }

  async function run(method: string) {
    const groupName = `Operators of ${method} ${randomUUID()}`
    const user = await memberOf(groupName)
    const { clientId, clientSecret } = await register(method)
    const env = {
      ISSUER: gatehouse.issuer,
      REDIRECT_URI: REDIRECT,
      CLIENT_ID: clientId,
      AUTH_METHOD: method,
      ...(clientSecret && { CLIENT_SECRET: clientSecret }),
    }
    return { user, groupName, found: await runApplication(env, (url) => browse(url, user.email)) }
  }

  test('signs in, refreshes and revokes by {$self}')
    .with(['client_secret_basic', 'client_secret_post', 'none'])
    .run(async ({ assert }, method) => {
      const { user, groupName, found } = await run(method)
      const person = { sub: user.id, email: user.email, email_verified: true, groups: [groupName] }
      assert.containsSubset(found.claims, { ...person, amr: ['pwd'] })
      assert.containsSubset(found.userinfo, person)
      assert.containsSubset(found.renewed, person)
      assert.isTrue(found.isRenewed)
      assert.equal(found.afterRevocation, 401)
    })

  test('introspects tokens and acts as a machine', async ({ assert }) => {
    const { found } = await run('client_secret_basic')
    assert.isTrue(found.isActive)
    assert.isFalse(found.isActiveAfterwards)
    assert.deepEqual(found.asMachine, [200, 403])
  })
})
