import Identity from '#models/identity'
import { createUser, PASSWORD, someEmail } from '#tests/support/fixtures'
import { htmlOf, person } from '../account/person.ts'
import { TestBrowser } from '../external/browser.ts'
import type { HostileProvider } from '#tests/servers/hostile_provider'

/** Makes a person without an account, whom the provider knows. */
export function newcomer(provider: HostileProvider) {
  const email = someEmail()
  provider.behaviour = { claims: { email, email_verified: true }, acceptsCodesTwice: true }
  const browser = new TestBrowser()
  /** Uses a copy of the browser, because the first answer may clear its cookies. */
  const again = (path: string) => browser.copy().request(path)
  return { email, browser, again }
}

/** Makes a user on the account page, whom the provider knows under another address. */
export async function member(provider: HostileProvider, { isLinked = false, isOld = false } = {}) {
  const user = await createUser({ isVerified: true })
  provider.behaviour = { claims: { email: someEmail() }, acceptsCodesTwice: true }
  const { issuer, subject } = provider
  const identity = { userId: user.id, provider: 'hostile', issuer, subject, linkedByOwner: true }
  if (isLinked) await Identity.create(identity)
  const { browser } = await person({ user, isOld })
  const html = await htmlOf(browser.request('/account/security'))
  const [, csrf] = /name=['"]_csrf['"] value=['"]([^'"]+)/.exec(html)!
  const submit = (path: string, fields = {}) =>
    browser.request(path, { method: 'POST', body: new URLSearchParams({ _csrf: csrf, ...fields }) })
  const again = (path: string) => browser.copy().request(path)
  return { email: user.email, browser, submit, again }
}

const FORM = '/account/security/providers/hostile'

type Member = Awaited<ReturnType<typeof member>>

export const unlink = ({ submit }: Member) => submit(`${FORM}/unlink`)

/** Sends the form that links, and returns the callback to which the provider redirects. */
export async function callbackOfLink({ browser, submit }: Member) {
  const html = await htmlOf(submit(`${FORM}/link`))
  const [, url] = /url=([^"]+)"/.exec(html)!
  const { at } = await browser.follow(url.replaceAll('&amp;', '&'), (to) => /\/callback\?/.test(to))
  return at
}

/** Opens the page that asks for the password, and returns how to confirm the unlinking there. */
export async function confirmationOf(asked: Member) {
  const [, savedForm] = /name="savedForm" value="([^"]+)"/.exec(await htmlOf(unlink(asked)))!
  return async () => {
    const confirmed = await asked.submit('/confirm', { savedForm, password: PASSWORD })
    const to = confirmed.headers.get('location')
    return to ? asked.submit(to, { savedForm }) : confirmed
  }
}
