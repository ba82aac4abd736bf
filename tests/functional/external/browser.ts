import { someAddress } from '#tests/support/fixtures'

const here = `http://127.0.0.1:${process.env.PORT}`

/** A minimal browser: it follows redirects between servers and keeps their cookies. */
export class TestBrowser {
  readonly address = someAddress()
  readonly #headers: Record<string, string>
  #jars = new Map<string, Map<string, string>>()

  /** @param headers what the browser sends with each request */
  constructor(headers: Record<string, string> = {}) {
    this.#headers = headers
  }

  /** Makes another browser with the cookies of this one, as if they had been kept or copied. */
  copy() {
    const twin = new TestBrowser()
    for (const [host, jar] of this.#jars) twin.#jars.set(host, new Map(jar))
    return twin
  }

  /** Keeps a cookie of the product that somebody at the browser has set by hand. */
  keep(cookie: string) {
    const { host } = new URL(here)
    const jar = this.#jars.get(host) ?? new Map<string, string>()
    this.#jars.set(host, jar)
    this.#keep(jar, cookie)
  }

  /** Replaces a cookie of the product with the same cookie of another browser. */
  takeCookie(name: string, from: TestBrowser) {
    const { host } = new URL(here)
    this.#jars.get(host)!.set(name, from.#jars.get(host)!.get(name)!)
  }

  /** Keeps a cookie of the product, as if a response had set it. */
  setCookie(name: string, value: string) {
    const { host } = new URL(here)
    const jar = this.#jars.get(host) ?? new Map<string, string>()
    this.#jars.set(host, jar.set(name, value))
  }

  /** Sends requests for the public address of the product to the loopback address. */
  #locate(url: string) {
    return url.replace(process.env.APP_URL!, here)
  }

  async request(url: string, init: RequestInit = {}) {
    const target = new URL(this.#locate(url), here)
    const jar = this.#jars.get(target.host) ?? new Map<string, string>()
    this.#jars.set(target.host, jar)
    const headers = new Headers({ ...this.#headers, ...(init.headers as object) })
    headers.set('x-forwarded-for', this.address)
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(target, { ...init, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) this.#keep(jar, cookie)
    return response
  }

  #keep(jar: Map<string, string>, cookie: string) {
    const [pair, ...attributes] = cookie.split(';')
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    const isGone = attributes.some((each) =>
      /max-age=(-1|0)\b|expires=thu, 01 jan 1970/i.test(each)
    )
    if (isGone) jar.delete(name)
    else jar.set(name.trim(), value)
  }

  /** Follows redirects until the response is not a redirect or an address matches. */
  async follow(url: string, until?: (url: string) => boolean) {
    let response = await this.request(url)
    let at = url
    for (let hops = 0; hops < 12 && response.status >= 300 && response.status < 400; hops++) {
      at = new URL(response.headers.get('location')!, new URL(this.#locate(at), here)).href
      if (until?.(at)) return { at, response }
      response = await this.request(at)
    }
    return { at, response }
  }

  /** Sends a form with the CSRF token of its page. The form goes to that page by default. */
  async submit(page: string, fields: Record<string, string> = {}, action = page) {
    const shown = await this.request(page)
    const [, csrf] = /name=['"]_csrf['"] value=['"]([^'"]+)/.exec(await shown.text())!
    const body = new URLSearchParams({ _csrf: csrf, ...fields })
    return this.request(new URL(action, here).href, { method: 'POST', body })
  }

  /** Starts a login, and returns the URL of the callback, which has not been requested yet. */
  async callbackOf(provider: string, query = '') {
    const { at } = await this.follow(`/auth/external/${provider}${query}`, (url) =>
      url.includes('/callback?')
    )
    return at
  }
}

/** Fills in the pages of the provider: login, then consent. */
export async function signInAtProvider(browser: TestBrowser, url: string, name: string) {
  const steps = [{ prompt: 'login', login: name, password: 'any' }, { prompt: 'consent' }]
  let { at, response } = await browser.follow(url)
  for (const step of steps) {
    const page = await response.text()
    const action = /action="([^"]+)"/.exec(page)![1]
    const answer = await browser.request(new URL(action, at).href, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(step as Record<string, string>),
    })
    const next = new URL(answer.headers.get('location')!, at).href
    ;({ at, response } = await browser.follow(next, (each) => each.includes('/callback?')))
  }
  return at
}
