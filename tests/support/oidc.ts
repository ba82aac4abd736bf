import * as oidc from 'openid-client'
import settings from '#config/oidc'
import web from '#config/web_session'
import { BY_PASSWORD, type Authentication } from '#auth/sessions/authentication'
import { startSession } from '#auth/sessions/sessions'
import { webCookie } from '#auth/sessions/web_session'
import { SYSTEM } from '#audit/actor'
import { createClient } from '#oidc/clients/clients'
import type { NewClient } from '#oidc/clients/client_fields'
import { attribute, refreshOf } from './html.ts'
import { someAddress } from './users.ts'
import type User from '#models/user'

/* An application in use: its client library, and a browser that follows redirects. */

export const REDIRECT = 'https://app.example.org/callback'

/** Leads to where the product listens, which differs from `APP_URL`, as behind a proxy. */
export const proxy = {
  next: () => `http://127.0.0.1:${process.env.PORT}`,
  fetch: (url: string, options: any): Promise<Response> => fetch(url, options),
}

export function throughProxy(url: string, options: any = {}) {
  return proxy.fetch(url.replace(settings.issuer, proxy.next()), { redirect: 'manual', ...options })
}

/** Registers an application, and returns it with its library. */
export async function application(given: Partial<NewClient> = {}) {
  const { client, clientSecret } = await createClient(
    { name: 'Grafana', redirectUris: [REDIRECT], ...given },
    SYSTEM
  )
  return { client, clientSecret, config: await configure(client.clientId, clientSecret) }
}

export type Application = Awaited<ReturnType<typeof application>> & {
  /** Set if the library of the application does not know PKCE. */
  lacksPkce?: boolean
}

/** Returns the parameters that a library with PKCE adds to its requests. */
async function challengeOf(verifier: string) {
  const challenge = await oidc.calculatePKCECodeChallenge(verifier)
  return { code_challenge: challenge, code_challenge_method: 'S256' }
}

/** Returns the library of a registered application. */
export function configure(clientId: string, secret: string | null) {
  const authentication = secret ? oidc.ClientSecretBasic(secret) : oidc.None()
  return oidc.discovery(new URL(settings.issuer), clientId, undefined, authentication, {
    [oidc.customFetch]: throughProxy,
    execute: [oidc.allowInsecureRequests],
  })
}

/** Returns a browser in which the user has signed in. */
export async function browserOf(user: User, how: Authentication = BY_PASSWORD) {
  const device = { id: 'default', ip: '127.0.0.1', userAgent: CHROME, client: 'web' } as const
  const { session, refreshToken } = await startSession(user as any, { device, ...how })
  const browser = new Browser()
  browser.cookies.set(web.cookieName, webCookie(session, refreshToken))
  return browser
}

const CHROME =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

export interface Page {
  url: URL
  response: Response
  html: string
}

export class Browser {
  readonly cookies = new Map<string, string>()
  readonly address = someAddress()

  /** @param issuer the address of the pages */
  constructor(readonly issuer = settings.issuer) {}

  async request(url: string | URL, options: any = {}) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const from = { 'user-agent': CHROME, 'x-forwarded-for': this.address }
    const headers = { cookie, accept: 'text/html', ...from, ...options.headers }
    const response = await throughProxy(String(url), { ...options, headers })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  #keep(line: string) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
    if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }

  /** Follows redirects within the product. Returns the page, or the address that leaves it. */
  async open(url: string | URL, options: any = {}): Promise<Page> {
    let [at, response] = [String(url), await this.request(url, options)]
    for (let hops = 0; hops < 12; hops++) {
      const html = await response.text()
      const next = response.headers.get('location') ?? refreshOf(html)
      if (!next) return { url: new URL(at), response, html }
      at = new URL(next, at).href
      if (!at.startsWith(this.issuer)) return { url: new URL(at), response, html }
      response = await this.request(at)
    }
    throw new Error(`${url} leads nowhere`)
  }

  /** Sends the form of a page that goes to this path, and follows redirects. */
  submit(page: Page, path: RegExp, fields: Record<string, string> = {}) {
    const { action, ...options } = this.#form(page, path, fields)
    return this.open(action, options)
  }

  /** Sends the same form, and follows no redirect. */
  send(page: Page, path: RegExp, fields: Record<string, string> = {}) {
    const { action, ...options } = this.#form(page, path, fields)
    return this.request(action, options)
  }

  #form(page: Page, path: RegExp, fields: Record<string, string>) {
    const forms = page.html.match(/<form[\s\S]*?<\/form>/g) ?? []
    const form = forms.find((html) => path.test(attribute(html, 'action')))
    if (!form) throw new Error(`No form for ${path} in ${page.html}`)
    const hidden = form.match(/<input[^>]*type=["']hidden["'][^>]*>/g) ?? []
    const given = hidden.map((input) => [attribute(input, 'name'), attribute(input, 'value')])
    const body = new URLSearchParams({ ...Object.fromEntries(given), ...fields })
    return { action: new URL(attribute(form, 'action'), page.url), method: 'POST', body }
  }
}

/** Returns the path of a page; `/sign-in` for the form that answers an authorization request. */
export function shownPath({ url, html }: Page) {
  const isForm = /<form[^>]*action="\/sign-in"/.test(html)
  return isForm && url.pathname === '/oauth/authorize' ? '/sign-in' : url.pathname
}

/** Returns the address to which the form of a sign-in page leads. */
export function nextOf({ html }: Page) {
  const [input] = /<input[^>]*name="next"[^>]*>/.exec(html) ?? []
  return input ? attribute(input, 'value') : null
}

export interface Request {
  url: URL
  verifier: string
  checks: oidc.AuthorizationCodeGrantChecks
}

/** Returns an authorization request as the library composes it. */
export async function authorizationRequest(
  { config, lacksPkce = false }: Pick<Application, 'config' | 'lacksPkce'>,
  parameters: Record<string, string> = {}
): Promise<Request> {
  const verifier = oidc.randomPKCECodeVerifier()
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: 'openid email profile',
    ...(!lacksPkce && (await challengeOf(verifier))),
    state,
    nonce,
    ...parameters,
  })
  const pkce = lacksPkce ? {} : { pkceCodeVerifier: verifier }
  return { url, verifier, checks: { ...pkce, expectedState: state, expectedNonce: nonce } }
}

/** Pushes a request of the application (RFC 9126). Returns its address and its verifier. */
export async function pushedRequest(
  { config, lacksPkce = false }: Pick<Application, 'config' | 'lacksPkce'>,
  parameters: Record<string, string> = {}
) {
  const verifier = oidc.randomPKCECodeVerifier()
  const url = await oidc.buildAuthorizationUrlWithPAR(config, {
    redirect_uri: REDIRECT,
    scope: 'openid',
    ...(!lacksPkce && (await challengeOf(verifier))),
    ...parameters,
  })
  return { url, verifier }
}

/** Runs the whole flow in a browser that is asked for nothing. Returns the application's tokens. */
export async function tokensOf(
  app: Application,
  browser: Browser,
  parameters: Record<string, string> = {}
) {
  const { url, checks } = await authorizationRequest(app, parameters)
  const answer = await browser.open(url)
  return oidc.authorizationCodeGrant(app.config, answer.url, checks)
}
