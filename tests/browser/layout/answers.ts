import { generate } from 'otplib'
import type { Page } from 'playwright-core'
import type { OneTimePurpose } from '#auth/tokens/one_time_purposes'
import { createUser, PASSWORD } from '#tests/support/fixtures'
import { authorizationRequest } from '#tests/support/oidc'
import { linkTokenOf, longEmail, LONG_NAME, type HostileData } from './hostile_data.ts'
import type { Viewer } from './pages.ts'

/* Pages that no address opens on its own: answers to forms, mailed links, unfolded boxes. */

interface Answer {
  viewer: Viewer
  open: (page: Page, data: HostileData) => Promise<unknown>
}

/** Sends the form with this path, and waits for the next page. */
async function send(page: Page, path: string) {
  const loaded = page.waitForEvent('load')
  await page.locator(`form[action$="${path}"] button:not([type=button])`).first().click()
  await loaded
}

const link = (path: string, purpose: OneTimePurpose): Answer => ({
  viewer: 'nobody',
  open: async (page, { user }) => page.goto(`${path}?token=${await linkTokenOf(user, purpose)}`),
})

const opened = (viewer: Viewer, path: (data: HostileData) => string): Answer => ({
  viewer,
  open: async (page, data) => {
    await page.goto(path(data))
    await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
  },
})

async function typeCredentials(page: Page, email: string, password: string) {
  await page.goto('/sign-in')
  await page.locator('#field-email').fill(email)
  await page.locator('#field-password').fill(password)
  await send(page, '/sign-in')
}

/** Leads to the page on which a new password is chosen. */
async function signInWithGivenPassword(page: Page) {
  const user = await createUser({ username: LONG_NAME, email: longEmail() })
  await user.merge({ mustChangePassword: true }).save()
  await typeCredentials(page, user.email, PASSWORD)
}

const ofNobody: Record<string, Answer['open']> = {
  'sign-in, refused': (page) => typeCredentials(page, longEmail(), 'Wrong-h0rse!'),
  'sign-in, code': (page, { guarded }) => typeCredentials(page, guarded.email, PASSWORD),
  'sign-up, mailbox': async (page) => {
    await page.goto('/sign-up')
    await page.locator('#field-username').fill(LONG_NAME)
    await page.locator('#field-email').fill(longEmail())
    await page.locator('#field-password').fill(PASSWORD)
    await send(page, '/sign-up')
  },
  'sign-up, refused': async (page) => {
    await page.goto('/sign-up')
    await page.locator('#field-username').fill(LONG_NAME)
    await page.locator('#field-email').fill(longEmail())
    await page.locator('#field-password').fill('short')
    await send(page, '/sign-up')
  },
  'forgot password, mailed': async (page) => {
    await page.goto('/forgot-password')
    await page.locator('#field-email').fill(longEmail())
    await send(page, '/forgot-password')
  },
}

const ofUser: Record<string, Answer['open']> = {
  'console, refused': (page) => page.goto('/admin'),
  'another address, sent': async (page) => {
    await page.goto('/account')
    await page.locator('#address summary').click()
    await page.locator('#field-email').fill(longEmail())
    await send(page, '/address')
  },
  'device, wrong code': (page) => page.goto('/oauth/device?user_code=BBBB-CCCC'),
  'key, made': async (page) => {
    await page.goto('/account/security')
    await page.locator('#api-keys summary').click()
    await page.locator('#key-name').fill(LONG_NAME)
    await page.locator('#api-keys [type=checkbox]').first().check()
    await send(page, '/api-keys')
  },
  'password, refused': async (page) => {
    await page.goto('/account/security')
    await page.locator('#password summary').click()
    await page.locator('#field-currentPassword').fill('Wrong-h0rse!')
    await page.locator('#field-newPassword').fill('short')
    await send(page, '/security/password')
  },
  'consent': async (page, { app }) => {
    const [redirect] = app.client.redirectUris
    const { url } = await authorizationRequest(app, { redirect_uri: redirect, prompt: 'consent' })
    await page.goto(url.pathname + url.search)
  },
  'second factor, secret': async (page) => {
    await page.goto('/account/security')
    await send(page, '/mfa/setup')
  },
  'second factor, refused': async (page) => {
    await page.locator('#field-code').fill('000000')
    await send(page, '/mfa/enable')
  },
  'backup codes': async (page) => {
    const shown = await page.locator('output.secret').innerText()
    const secret = shown.replaceAll(' ', '')
    await page.locator('#field-code').fill(await generate({ secret }))
    await send(page, '/mfa/enable')
  },
}

async function tryProvider(page: Page) {
  await page.goto('/admin/settings')
  await page.locator('#providers summary').click()
  await page.locator('#field-name').fill('refused')
  await page.locator('#field-issuer').fill(`https://${'w'.repeat(60)}.invalid/${'w'.repeat(150)}`)
  await page.locator('#field-clientId').fill('W'.repeat(255))
  await page.locator('#field-clientSecret').fill('W'.repeat(255))
  const loaded = page.waitForEvent('load')
  await page.locator('#providers [formaction$="/test"]').click()
  await loaded
}

async function refuseColor(page: Page) {
  await page.goto('/admin/settings')
  await page.locator('#field-BRAND_COLOR').fill('W'.repeat(200))
  await send(page, '/settings/brand')
}

const NO_MATCH = 'q'.repeat(60)

const ofAdmin: Record<string, Answer['open']> = {
  'users, no match': (page) => page.goto(`/admin/users?search=${NO_MATCH}`),
  'users, invalid filter': (page) => page.goto('/admin/users?status=sleeping'),
  'audit log, no match': (page) => page.goto('/admin/audit?ip=192.0.2.99'),
  'audit log, invalid filter': (page) => page.goto('/admin/audit?from=yesterday'),
  'audit log, verified': async (page) => {
    await page.goto('/admin/audit')
    await send(page, '/audit/verify')
  },
  'applications, no match': (page) => page.goto(`/admin/clients?search=${NO_MATCH}`),
  'presets, no match': (page) => page.goto(`/admin/clients/create?q=${NO_MATCH}`),
  'user, nowhere': (page) => page.goto('/admin/users/0'),
  'users, chosen': async (page) => {
    await page.goto('/admin/users')
    await page.locator('[data-tick-all]').check()
    const loaded = page.waitForEvent('load')
    await page.locator('button[name=action][value=disable]').click()
    await loaded
  },
  'one-time password': async (page, { other }) => {
    await page.goto(`/admin/users/${other.id}`)
    await send(page, '/password')
  },
  'user, refused': async (page) => {
    await page.goto('/admin/users/create')
    await page.locator('#field-email').fill(longEmail())
    await page.locator('#field-username').fill(LONG_NAME)
    await page.locator('#field-password').fill('short')
    await send(page, '/admin/users')
  },
  'settings, refused': refuseColor,
  'provider, tried': tryProvider,
  'application, refused': async (page) => {
    await page.goto('/admin/clients/create?for=grafana')
    await page.locator('[name=redirectUris]').fill(`ftp://${NO_MATCH}.example.org/`)
    await send(page, '/admin/clients')
  },
  'application, registered': async (page) => {
    await page.goto('/admin/clients/create?for=grafana')
    await send(page, '/admin/clients')
  },
}

function by(viewer: Viewer, opens: Record<string, Answer['open']>) {
  return Object.fromEntries(Object.entries(opens).map(([name, open]) => [name, { viewer, open }]))
}

export const ANSWERS: Record<string, Answer> = {
  'link, reset': link('/reset-password', 'password_reset'),
  'link, verification': link('/verify-email', 'email_verification'),
  'link, invitation': link('/accept-invitation', 'invitation'),
  'password, handed over': { viewer: 'nobody', open: signInWithGivenPassword },
  'link, new address': link('/confirm-address', 'email_change'),
  'link, previous address': link('/undo-email-change', 'email_change_undo'),
  'link, confirmed address': link('/verify-email', 'email_verified'),
  'account, opened': opened('user', () => '/account'),
  'security, opened': opened('user', () => '/account/security'),
  'user, opened': opened('admin', ({ other }) => `/admin/users/${other.id}`),
  'users, filters opened': opened('admin', () => '/admin/users?status=locked&mfa=no&role=User'),
  'audit log, filters opened': opened('admin', () => '/admin/audit?outcome=failure'),
  'settings, opened': opened('admin', () => '/admin/settings'),
  'system, opened': opened('admin', () => '/admin/system'),
  'search, nothing': { viewer: 'admin', open: (page) => page.goto(`/admin/search?q=${NO_MATCH}`) },
  'application, opened': opened('admin', ({ client }) => `/admin/clients/${client.id}`),
  'nowhere': { viewer: 'nobody', open: (page) => page.goto('/nowhere') },
  ...by('nobody', ofNobody),
  ...by('user', ofUser),
  ...by('admin', ofAdmin),
}
