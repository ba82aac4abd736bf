import 'reflect-metadata'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ignitor } from '@adonisjs/core'
import sharp from 'sharp'
import { chromium, type Browser, type Page } from 'playwright-core'
import { importFromApp } from '../../bin/boot.ts'
import { findOrInstall } from '../support/debian.ts'
import { freePort } from '../support/free_port.ts'
import { PAGES, type ScreenshotPage, type Viewer } from './pages.ts'

/*
 | What `npm run screenshots` runs: starts the product on an empty folder, fills it with demo
 | data and takes every page in light and dark, wide and narrow, in each language of
 | `LANGUAGES`. The pictures go to a temporary folder, which it prints, and those that the
 | documents show to `docs/images`. Names of pages as arguments choose those pages, and
 | `example` a sign-in to the example application.
 */

const root = new URL('../../', import.meta.url)
const folder = fileURLToPath(new URL('docs/images', root))
const pictures = mkdtempSync(join(tmpdir(), 'gatehouse-pictures-'))
const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-screenshots-'))
const port = await freePort()
const base = `http://127.0.0.1:${port}`

Object.assign(process.env, {
  NODE_ENV: 'test',
  DATA_DIR: dataDir,
  HOST: '127.0.0.1',
  PORT: String(port),
  LOG_LEVEL: 'fatal',
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

const LANGUAGES = ['en', 'de']
const SIZES = { wide: { width: 1280, height: 860 }, narrow: { width: 390, height: 844 } }
const SCHEMES = ['light', 'dark'] as const

interface Look {
  language: string
  scheme: (typeof SCHEMES)[number]
  size: keyof typeof SIZES
}

const LOOKS: Look[] = LANGUAGES.flatMap((language) =>
  SCHEMES.flatMap((scheme) =>
    (['wide', 'narrow'] as const).map((size) => ({ language, scheme, size }))
  )
)

/** `light`, `dark-narrow`, `light-de`: what the name of a picture says of its look. */
function lookName({ language, scheme, size }: Look) {
  const parts = [size === 'wide' ? null : size, scheme, language === 'en' ? null : language]
  return parts.filter(Boolean).join('-')
}

/** The browser of a viewer, in one look and signed in where the viewer is. */
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

/** Flat surfaces need few colours: a palette makes the file a quarter as large. */
async function document(page: Page, name: string) {
  const image = await page.screenshot()
  await sharp(image)
    .png({ palette: true, quality: 90, effort: 9 })
    .toFile(join(folder, `${name}.png`))
}

/** The address of a page, with the ids that the demo got. */
async function addressOf({ path }: ScreenshotPage) {
  const { default: User } = await import('#models/user')
  const { readClients } = await import('#oidc/clients/client_rows')
  const ada = await User.findByOrFail('username', 'Ada Lovelace')
  const clients = await readClients()
  const grafana = clients.find(({ name }) => name === 'Grafana')!
  return path.replace(':ada', ada.id).replace(':grafana', grafana.id)
}

async function takePage(page: Page, shown: ScreenshotPage, look: Look) {
  const { name, press, documented } = shown
  await page.goto(await addressOf(shown))
  if (press) await page.locator(press).click()
  const suffix = lookName(look)
  const file = `${name}-${suffix}`
  await page.screenshot({ path: join(pictures, `${file}.png`), fullPage: true })
  if (documented?.some((each) => each === suffix)) await document(page, file)
}

/** A sign-in to the example application, for `docs/openid-provider.md`. */
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
  const executablePath = findOrInstall('chromium', 'chromium')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  for (const look of LOOKS) {
    for (const viewer of new Set(pages.map((page) => page.viewer))) {
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
await ignitor.httpServer().start((handle) => http.createHttpServer(handle))
const { default: app } = await import('@adonisjs/core/services/app')
const { migrate } = await import('#database/migrate')
await migrate(app)
const { makeDemo } = await import('./demo.ts')
await makeDemo()
const { makeClients } = await import('./clients.ts')
await makeClients()
const { makePeople } = await import('./people.ts')
await makePeople()
await takeScreenshots()
await app.terminate()
rmSync(dataDir, { recursive: true, force: true })
