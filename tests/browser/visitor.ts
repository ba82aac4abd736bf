import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { test } from '@japa/runner'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Assert } from '@japa/assert'
import { findBrowser, launchBrowser, type BrowserKind } from '#tests/support/browser'
import { createAdmin, PASSWORD, someAddress } from '#tests/support/fixtures'
import settings from '#config/web_session'
import { BY_PASSWORD } from '#auth/sessions/authentication'
import { startSession } from '#auth/sessions/sessions'
import { webCookie } from '#auth/sessions/web_session'
import type User from '#models/user'

/** Pages of the console that every administrator can open, and one that does not exist. */
export const CONSOLE_PATHS = [
  '/admin',
  '/admin/users',
  '/admin/users/create',
  '/admin/users/create-service',
  '/admin/users/invite',
  '/admin/groups',
  '/admin/groups/create',
  '/admin/sessions',
  '/admin/audit',
  '/admin/mails',
  '/admin/clients',
  '/admin/clients/create',
  '/admin/clients/create?for=nextcloud',
  '/admin/webhooks',
  '/admin/webhooks/create',
  '/admin/keys',
  '/admin/system',
  '/admin/settings',
  '/admin/search?q=example',
  '/admin/account',
  '/admin/account/security',
  '/admin/account/sessions',
  '/admin/account/activity',
  '/admin/account/data',
  '/admin/nowhere',
]

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8'
)

let browser: Browser | undefined
let kind: BrowserKind = 'without windows'

async function launch() {
  const { host } = new URL(process.env.APP_URL!)
  const names = `--host-resolver-rules=MAP ${host} 127.0.0.1:${process.env.PORT}`
  /** Passkeys need https, or a browser that treats this origin as secure. */
  const secure = `--unsafely-treat-insecure-origin-as-secure=${process.env.APP_URL}`
  browser = await launchBrowser([names, secure], kind)
  return browser
}

/** Closes what a group has opened. All groups that need the same kind share one browser. */
export function withBrowser(
  group: ReturnType<typeof test.group>,
  needed: BrowserKind = 'without windows'
) {
  group.setup(async () => {
    findBrowser(needed)
    if (needed !== kind) await closeBrowser()
    kind = needed
  })
  group.teardown(async () => {
    const contexts = browser?.contexts() ?? []
    await Promise.all(contexts.map((context) => context.close()))
  })
}

export async function closeBrowser() {
  await browser?.close()
  browser = undefined
}

/** Returns the browser of the suite, or a new one if that browser has crashed. */
async function runningBrowser() {
  return browser?.isConnected() ? browser : launch()
}

/** Opens a page in its own context, without cookies, limits or the address of another test. */
export async function visit(options: BrowserContextOptions = {}): Promise<Page> {
  const running = await runningBrowser()
  const context = await running.newContext({
    baseURL: `http://127.0.0.1:${process.env.PORT}`,
    extraHTTPHeaders: { 'x-forwarded-for': someAddress() },
    ...options,
  })
  context.setDefaultTimeout(30_000)
  return context.newPage()
}

export async function typeCredentials(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Starts a session of the pages whose last click was this many minutes ago. */
async function startWebSession(user: User, idleMinutes: number) {
  const device = { id: 'default', ip: someAddress(), userAgent: null, client: 'web' as const }
  const now = Date.now
  Date.now = () => now() - idleMinutes * 60_000
  try {
    return await startSession(user, { device, ...BY_PASSWORD })
  } finally {
    Date.now = now
  }
}

/** In minutes. The sign-in is no longer a recent proof, but the console’s proof still is. */
const LONG_AGO = 11

interface Visit extends BrowserContextOptions {
  idleMinutes?: number
  /** The page to open, unless the test opens its first page itself. */
  path?: string
}

/** Opens a page on which this user, or a new administrator, is signed in. */
export async function visitAs(
  given?: User,
  { idleMinutes = LONG_AGO, path, ...options }: Visit = {}
) {
  const user = given ?? (await createAdmin())
  const { session, refreshToken } = await startWebSession(user, idleMinutes)
  const page = await visit(options)
  const value = webCookie(session, refreshToken)
  const url = `http://127.0.0.1:${process.env.PORT}`
  await page.context().addCookies([{ name: settings.cookieName, value, url, httpOnly: true }])
  if (path) await page.goto(path)
  return { page, user }
}

interface Findings {
  found: string[]
  surplus: number
}

interface Search {
  script: string
  look?: string
}

/** Runs axe-core, and returns only the findings that are read here, because the rest takes time. */
const FIND_VIOLATIONS = `axe
  .run({
    resultTypes: ['violations'],
    reporter: 'no-passes',
    selectors: false,
    preload: { assets: ['media'] },
  })
  .then(({ violations }) => ({
    found: violations.map(({ id, help, nodes }) => id + ': ' + help + ' at ' + nodes[0].html),
    surplus: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }))`

const WIDE = { width: 1_280, height: 720 }

/**
 * Checks one page in light and dark colours and narrow, because opening it again takes time. Its
 * visitor prefers reduced motion, so that colours change immediately.
 */
export async function assertAccessibleInEachLook(
  page: Page,
  assert: Assert,
  narrow = { width: 360, height: 740 }
) {
  await page.evaluate(axeSource)
  for (const look of ['light', 'dark', 'narrow'] as const) {
    await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light' })
    await page.setViewportSize(look === 'narrow' ? narrow : WIDE)
    await assertNoViolation(page, assert, { script: FIND_VIOLATIONS, look })
  }
}

/** Asserts that axe-core finds nothing of any impact, and that nothing is wider than the screen. */
export function assertAccessible(page: Page, assert: Assert) {
  return assertNoViolation(page, assert, { script: `${axeSource};${FIND_VIOLATIONS}` })
}

async function assertNoViolation(page: Page, assert: Assert, { script, look = '' }: Search) {
  const { found, surplus } = await page.evaluate<Findings>(script)
  assert.deepEqual(found, [], `${page.url()} ${look}`)
  assert.equal(surplus, 0, `${page.url()} is wider than the screen ${look}`)
}

/** Opens the filters of a list beside its search. */
export function openFilters(page: Page) {
  return page.locator('.filters-fold summary').click()
}

/** Answers the request for the password, after which the page in question follows. */
export async function confirmPassword(page: Page, password = PASSWORD) {
  await page.getByRole('heading', { name: 'Confirm it’s you' }).waitFor()
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Returns the current value of a user's attribute in the database. */
export async function attributeOf(
  user: User,
  name: 'email' | 'pendingEmail' | 'role' | 'username' | 'isDisabled'
) {
  await user.refresh()
  return user[name]
}
