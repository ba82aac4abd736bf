import 'reflect-metadata'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ignitor } from '@adonisjs/core'
import sharp from 'sharp'
import type { Browser, Page } from 'playwright-core'
import { importFromApp } from '../../bin/boot.ts'
import { SmtpServer } from '../servers/smtp.ts'
import { launchBrowser } from '../support/browser.ts'
import { freePort } from '../support/free_port.ts'
import { temporaryFolder } from '../support/temporary_folder.ts'
import { PAGES, type ScreenshotPage, type Viewer } from './pages.ts'

/*
 | Runs for `npm run screenshots`: starts the product on an empty folder and fills it with demo
 | data. It takes every page wide and narrow, light in each language and dark in English. It prints
 | the temporary folder of the pictures; pictures in the documents go to `docs/images`. Arguments
 | choose pages by name, and `example` chooses a sign-in to the example application.
 */

const root = new URL('../../', import.meta.url)
const folder = fileURLToPath(new URL('docs/images', root))
const pictures = mkdtempSync(join(tmpdir(), 'gatehouse-pictures-'))
const dataDir = temporaryFolder('screenshots')
const port = await freePort()
const mailServer = new SmtpServer(await freePort())
const base = `http://127.0.0.1:${port}`

Object.assign(process.env, {
  NODE_ENV: 'test',
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: String(port),
  LOG_LEVEL: 'fatal',
  SMTP_HOST: '127.0.0.1',
  SMTP_PORT: String(mailServer.port),
  LOGIN_THROTTLE_LIMIT: '0',
  TERMS_URL: 'https://example.org/terms',
  PRIVACY_URL: 'https://example.org/privacy',
  GITHUB_CLIENT_ID: 'screenshots',
  GITHUB_CLIENT_SECRET: 'screenshots',
})

let http: typeof import('#http/server')
const ignitor = new Ignitor(root, { importer: importFromApp }).tap((app) => {
  app.booting(async () => {
    await import('#start/env')
    http = await import('#http/server')
  })
})

const LANGUAGES = ['en', 'de', 'es', 'fr']
const SIZES = { wide: { width: 1280, height: 860 }, narrow: { width: 390, height: 844 } }

interface Look {
  language: string
  scheme: 'light' | 'dark'
  size: keyof typeof SIZES
}

/** Colours do not depend on the language. */
const LOOKS: Look[] = (['wide', 'narrow'] as const).flatMap((size) => [
  ...LANGUAGES.map((language) => ({ language, scheme: 'light' as const, size })),
  { language: 'en', scheme: 'dark', size },
])

/** Returns the part of a picture's name for its look: `light`, `dark-narrow`, `light-de`. */
function lookName({ language, scheme, size }: Look) {
  const parts = [size === 'wide' ? null : size, scheme, language === 'en' ? null : language]
  return parts.filter(Boolean).join('-')
}

/** Opens a browser page of a viewer in one look, and signs the viewer in, if there is one. */
async function openPage(browser: Browser, viewer: Viewer, { language, scheme, size }: Look) {
  const page = await browser.newPage({
    baseURL: base,
    locale: language,
    colorScheme: scheme,
    viewport: SIZES[size],
    deviceScaleFactor: 1.5,
  })
  if (viewer === 'nobody') return page
  const { ADMIN } = await import('./demo.ts')
  const { cookieOf, emailOf } = await import('./people.ts')
  const { default: settings } = await import('#config/web_session')
  const value = await cookieOf(viewer === 'administrator' ? ADMIN.email : emailOf(viewer))
  await page.context().addCookies([{ name: settings.cookieName, value, url: base }])
  return page
}

/** Flat surfaces have few colours: a palette reduces the file to a quarter of its size. */
async function document(page: Page, name: string) {
  const image = await page.screenshot()
  await sharp(image)
    .png({ palette: true, quality: 90, effort: 9 })
    .toFile(join(folder, `${name}.png`))
}

/** Returns the address of a page, with the ids of the demo. */
async function addressOf({ path }: ScreenshotPage) {
  const { default: db } = await import('@adonisjs/lucid/services/db')
  const { default: User } = await import('#models/user')
  const { readClients } = await import('#oidc/clients/client_rows')
  const ada = await User.findByOrFail('username', 'Ada Lovelace')
  const clients = await readClients()
  const grafana = clients.find(({ name }) => name === 'Grafana')!
  const group = await db.from('groups').where('name', 'engineering').firstOrFail()
  const webhook = await db.from('webhooks').firstOrFail()
  const ids = { ada: ada.id, grafana: grafana.id, group: group.id, webhook: webhook.id }
  return path.replace(/:(\w+)/g, (_, name: keyof typeof ids) => ids[name])
}

async function takePage(page: Page, shown: ScreenshotPage, look: Look) {
  const { name, press, documented } = shown
  await page.goto(await addressOf(shown))
  if (press) await page.locator(press).click()
  const suffix = lookName(look)
  const file = `${name}-${suffix}`
  await page.screenshot({ path: join(pictures, `${file}.png`), fullPage: true })
  if (documented?.some((each) => each === suffix)) await document(page, file)
  const { forgetRegistered } = await import('./clients.ts')
  if (press) await forgetRegistered()
}

/** Takes pictures of a sign-in to the example application, for `docs/openid-provider.md`. */
async function takeExample(browser: Browser) {
  const { walkExample } = await import('./example.ts')
  const page = await openPage(browser, 'nobody', LOOKS[0])
  await walkExample(page, (name) => document(page, `${name}-light`))
  await page.context().close()
}

async function takeScreenshots() {
  const chosen = process.argv.slice(2)
  const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name)
  const pages = PAGES.filter(({ name }) => isChosen(name))
  const browser = await launchBrowser([], 'whole')
  const { makeHostile } = await import('./people.ts')
  for (const viewer of new Set(pages.map((page) => page.viewer))) {
    if (viewer === 'hostile') await makeHostile()
    for (const look of LOOKS) {
      const page = await openPage(browser, viewer, look)
      for (const each of pages) if (each.viewer === viewer) await takePage(page, each, look)
      await page.context().close()
    }
  }
  if (isChosen('example')) await takeExample(browser)
  await browser.close()
  console.log(pictures)
}

mkdirSync(folder, { recursive: true })
await mailServer.start()
await ignitor.httpServer().start((handle) => http.createHttpServer(handle))
const { default: passwords } = await import('#config/passwords')
/* The system page shows the speed of a machine that does nothing else. */
Object.assign(passwords.argon2, { memoryCost: 4_096, timeCost: 1 })
const { default: app } = await import('@adonisjs/core/services/app')
const { migrate } = await import('#database/migrate')
await migrate(app)
const { makeDemo } = await import('./demo.ts')
await makeDemo()
const { makeClients } = await import('./clients.ts')
await makeClients()
const { makeIntegrations } = await import('./integrations.ts')
await makeIntegrations()
const { makePeople } = await import('./people.ts')
await makePeople()
await takeScreenshots()
await app.terminate()
await mailServer.stop()
