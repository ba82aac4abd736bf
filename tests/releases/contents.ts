import { generate } from 'otplib'
import { Authenticator, type SavedPasskey } from '#tests/support/authenticator'
import type { Product } from '../process/product.ts'

/* What the database of a release holds, and how each of it is proved after an upgrade. */

export const PASSWORD = 'Correct-h0rse!'

export interface ReleaseContents {
  admin: { email: string }
  users: { plain: string; code: string; passkey: string; disabled: string; locked: string }
  secret: string
  backupCodes: string[]
  passkey: SavedPasskey
  apiKey: string
  group: string
  client: { clientId: string; clientSecret: string }
}

/** The same address wherever it is restored: passkeys belong to its host. */
export const RELEASE_SETTINGS = {
  APP_URL: 'http://gatehouse.test',
  LOGIN_IP_LIMIT: '0',
  REGISTER_IP_LIMIT: '0',
  LOGIN_THROTTLE_LIMIT: '0',
}

type Proof = (product: Product, contents: ReleaseContents) => Promise<string>

function login(product: Product, email: string, more: object = {}) {
  return product.ask('/auth/login', { body: { email, password: PASSWORD, ...more } })
}

async function statusOfLogin(product: Product, email: string, more: object = {}) {
  const { status, body } = await login(product, email, more)
  return status === 200 && body.accessToken ? '200' : `${status} ${body.code}`
}

async function asAdmin(product: Product, { admin }: ReleaseContents, path: string) {
  const { body } = await login(product, admin.email)
  return product.ask(path, { token: body.accessToken })
}

/** The expected outcome and how it comes about. */
export const PROOFS: Record<string, [string, Proof]> = {
  'a password': ['200', (product, { users }) => statusOfLogin(product, users.plain)],
  'an administrator': ['200', (product, { admin }) => statusOfLogin(product, admin.email)],
  'a one-time code': [
    '200',
    async (product, { users, secret }) =>
      statusOfLogin(product, users.code, { code: await generate({ secret }) }),
  ],
  'a backup code': [
    '200',
    (product, { users, backupCodes }) =>
      statusOfLogin(product, users.code, { code: backupCodes[0] }),
  ],
  'no second factor': [
    '401 E_MFA_REQUIRED',
    (product, { users }) => statusOfLogin(product, users.code),
  ],
  'a passkey': [
    '200',
    async (product, { passkey }) => {
      const options = await product.ask('/auth/passkeys/login-options', { body: {} })
      const response = new Authenticator({ saved: passkey }).get(options.body)
      const { status } = await product.ask('/auth/passkeys/login', { body: { response } })
      return String(status)
    },
  ],
  'a disabled user': [
    '403 E_ACCOUNT_DISABLED',
    (product, { users }) => statusOfLogin(product, users.disabled),
  ],
  'a locked user': [
    '403 E_ACCOUNT_LOCKED',
    (product, { users }) => statusOfLogin(product, users.locked),
  ],
  'an API key': [
    '200',
    async (product, { apiKey }) => {
      const { status } = await product.ask('/users?limit=1', { token: apiKey })
      return String(status)
    },
  ],
  'a group': [
    'plain@example.org',
    async (product, contents) => {
      const { body: groups } = await asAdmin(product, contents, '/groups')
      const { id } = groups.find(({ name }: { name: string }) => name === contents.group)
      const { body } = await asAdmin(product, contents, `/groups/${id}/members`)
      return body.map(({ email }: { email: string }) => email).join()
    },
  ],
  'an application': [
    '200',
    async (product, { client: { clientId, clientSecret } }) => {
      const credentials = { client_id: clientId, client_secret: clientSecret }
      const body = new URLSearchParams({ grant_type: 'client_credentials', ...credentials })
      const { status } = await fetch(`${product.url}/oauth/token`, { method: 'POST', body })
      return String(status)
    },
  ],
}

/** The outcome of every proof by its name. */
export async function prove(product: Product, contents: ReleaseContents) {
  const outcomes: Record<string, string> = {}
  for (const [name, [, proof]] of Object.entries(PROOFS)) {
    outcomes[name] = await proof(product, contents)
  }
  return outcomes
}

export const EXPECTED = Object.fromEntries(
  Object.entries(PROOFS).map(([name, [expected]]) => [name, expected])
)
