import { randomInt } from 'node:crypto'
import { attribute, refreshOf } from '../tests/support/html.ts'

/** Addresses are random, because no limit of requests per address is measured. */
const someAddress = () => `198.18.${randomInt(256)}.${randomInt(256)}`

/** A browser as far as signing in to an application needs one: cookies, redirects and one form. */
export class Browser {
  readonly #cookies = new Map<string, string>()

  constructor(
    readonly url: string,
    readonly user: { email: string; password: string }
  ) {}

  /** Opens an address, signs in if asked to, and returns the address that leaves the service. */
  async leave(address: string): Promise<URL> {
    let response = await this.#request(address)
    for (let hops = 0; hops < 12; hops++) {
      const to = response.headers.get('location')
      const html = await response.text()
      if (!to && !response.ok) throw new Error(`${response.status} ${html.slice(0, 300)}`)
      const next = to ?? refreshOf(html)
      if (!next) response = await this.#signIn(html, response.url)
      else if (!new URL(next, this.url).href.startsWith(this.url)) return new URL(next)
      else response = await this.#request(new URL(next, this.url).href)
    }
    throw new Error(`${address} leads nowhere`)
  }

  async #request(address: string, init: RequestInit = {}) {
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ')
    const headers = { cookie, 'accept': 'text/html', 'x-forwarded-for': someAddress() }
    const response = await fetch(address, { redirect: 'manual', ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      this.#cookies.set(name, value)
    }
    return response
  }

  #signIn(html: string, at: string) {
    const form = html.match(/<form[\s\S]*?<\/form>/g)?.find((each) => each.includes('password'))
    if (!form) throw new Error(`No form to sign in with: ${html.slice(0, 300)}`)
    const hidden = form.match(/<input[^>]*type=["']hidden["'][^>]*>/g) ?? []
    const given = hidden.map((input) => [attribute(input, 'name'), attribute(input, 'value')])
    const names = { ...this.user, username: this.user.email }
    const body = new URLSearchParams({ ...Object.fromEntries(given), ...names })
    return this.#request(new URL(attribute(form, 'action'), at).href, { method: 'POST', body })
  }
}
