import settings from '#config/oidc'
import { PASSWORD } from '#tests/support/users'
import { authorizationRequest, Browser, configure, proxy, REDIRECT } from '#tests/support/oidc'
import { Backend } from './backend.ts'
import { askAgain, newDataDirFor, Product } from './product.ts'

/* An application that uses products in processes of their own. */

export const APP_URL = settings.issuer

/** Routes requests through another proxy than the in-process one, and repeats them after a 503. */
export function useProxy(next: () => string) {
  const { next: nextBefore, fetch: fetchBefore } = proxy
  proxy.next = next
  proxy.fetch = (url, options) => askAgain(() => fetchBefore(url, options))
  return () => void Object.assign(proxy, { next: nextBefore, fetch: fetchBefore })
}

export async function register(product: Product, token: string, given: object = {}) {
  /** New users of these tests have not verified their address. */
  const open = { requireVerifiedEmail: false }
  const body = { name: 'Grafana', redirectUris: [REDIRECT], ...open, ...given }
  const response = await product.ask('/oauth-clients', { body, token })
  if (response.status !== 201) throw new Error(JSON.stringify(response.body))
  const { clientId, clientSecret } = response.body
  return { clientId, clientSecret, config: await configure(clientId, clientSecret) }
}

export const SIGN_IN = /^\/sign-in$/
export const INTERACTION = /^\/oauth\/interaction\//

export const ADMIN = { email: 'ada@example.org', password: PASSWORD }

/** The settings of products for sign-ins to applications, with an administrator. */
export const WITH_ADMIN = {
  APP_URL,
  LOGIN_IP_LIMIT: '0',
  REGISTER_IP_LIMIT: '0',
  LOGIN_THROTTLE_LIMIT: '0',
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
}

type Registered = Awaited<ReturnType<typeof register>>

/** Signs a browser in at this address, and allows the application all that it requests. */
export async function allowAt(url: URL, { email }: { email: string }) {
  const browser = new Browser()
  const page = await browser.open(url)
  const consent = await browser.submit(page, SIGN_IN, { email, password: PASSWORD })
  const answer = await browser.submit(consent, INTERACTION, { decision: 'allow' })
  return { answer, browser }
}

/** Signs a browser in, allows the application all that it requests, and returns the code. */
export async function codeOf(
  app: Registered,
  user: { email: string },
  parameters: Record<string, string> = {}
) {
  const { url, checks } = await authorizationRequest(app, parameters)
  const { answer, browser } = await allowAt(url, user)
  return { answer, checks, browser }
}

/** On SQLite, two processes share a file; on other backends, they share servers. */
export const BACKENDS: Record<string, () => Promise<Backend | null>> = {
  'SQLite': async () => null,
  'Postgres': () => Backend.withPostgres(),
  'Postgres and Redis': () => Backend.withRedis(),
}

/** Returns `good`, or the OAuth error. */
export async function errorOf(request: Promise<unknown>) {
  return request.then(
    () => 'good',
    (error) => error.error ?? error.cause?.[0]?.parameters?.error ?? String(error)
  )
}

/** Starts two processes on the same data. */
export async function startTwo(backend: Backend | null) {
  const dataDir = backend ? undefined : newDataDirFor()
  const start = () => Product.start({ ...backend?.settings, ...WITH_ADMIN }, dataDir)
  return [await start(), await start()]
}
