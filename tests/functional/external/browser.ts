import { someAddress } from '#tests/fixtures'

const here = `http://127.0.0.1:${process.env.PORT}`

/** A minimal browser: it follows redirects between servers and keeps their cookies. */
export class TestBrowser {
  readonly address = someAddress()
  #jars = new Map<string, Map<string, string>>()

  /** Another browser with the cookies of this one, as if they had been kept or copied. */
  copy() {
    const twin = new TestBrowser()
    for (const [host, jar] of this.#jars) twin.#jars.set(host, new Map(jar))
    return twin
  }

  /** Keeps a cookie of the product that somebody at the browser has written. */
  keep(cookie: string) {
    const { host } = new URL(here)
    const jar = this.#jars.get(host) ?? new Map<string, string>()
    this.#jars.set(host, jar)
    this.#keep(jar, cookie)
  }

  /** Requests to the public address of the product go to the loopback address. */
  #locate(url: string) {
    return url.replace(process.env.APP_URL!, here)
  }

  async request(url: string, init: RequestInit = {}) {
    const target = new URL(this.#locate(url), here)
    const jar = this.#jars.get(target.host) ?? new Map<string, string>()
    this.#jars.set(target.host, jar)
    const headers = new Headers(init.headers)
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

  /** Follows redirects until another answer comes, or until an address matches. */
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

  /** Starts a login and returns the URL of the callback, which is not called yet. */
  async callbackOf(provider: string, query = '') {
    const { at } = await this.follow(`/auth/external/${provider}${query}`, (url) =>
      url.includes('/callback?')
    )
    return at
  }
}
