import 'reflect-metadata'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ignitor } from '@adonisjs/core'
import sharp from 'sharp'
import { chromium, type Browser, type Page } from 'playwright-core'
import { importFromApp } from '../../bin/boot.ts'
import { findOrInstall } from '../debian.ts'
import { freePort } from '../free_port.ts'

/*
 | What `npm run screenshots` runs: starts the product on an empty folder, fills it with
 | demo data and writes screenshots of the main pages to `docs/images`.
 */

const root = new URL('../../', import.meta.url)
const folder = fileURLToPath(new URL('docs/images', root))
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
})

const ignitor = new Ignitor(root, { importer: importFromApp }).tap((app) => {
  app.booting(async () => {
    await import('#start/env')
  })
})

interface Shot {
  name: string
  path: string
  schemes?: ('light' | 'dark')[]
  width?: number
}

async function shots(): Promise<Shot[]> {
  const { default: User } = await import('#models/user')
  const ada = await User.findByOrFail('username', 'Ada Lovelace')
  return [
    { name: 'dashboard', path: '/admin', schemes: ['light', 'dark'] },
    { name: 'users', path: '/admin/users', schemes: ['light', 'dark'] },
    { name: 'user', path: `/admin/users/${ada.id}`, schemes: ['light', 'dark'] },
    { name: 'sessions', path: '/admin/sessions' },
    { name: 'audit', path: '/admin/audit', schemes: ['light', 'dark'] },
    { name: 'mails', path: '/admin/mails' },
    { name: 'account', path: '/admin/account' },
    { name: 'users-narrow', path: '/admin/users', schemes: ['dark'], width: 390 },
  ]
}

async function signedIn(browser: Browser, scheme: 'light' | 'dark', width = 1280) {
  const { ADMIN } = await import('./demo.ts')
  const height = width < 500 ? 844 : 860
  const page = await browser.newPage({
    baseURL: base,
    colorScheme: scheme,
    viewport: { width, height },
    deviceScaleFactor: 1.5,
  })
  await page.goto('/admin/sign-in')
  await page.getByLabel('E-mail').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/admin')
  return page
}

/** Flat surfaces need few colours: a palette makes the file a quarter as large. */
async function save(page: Page, name: string) {
  const image = await page.screenshot()
  await sharp(image)
    .png({ palette: true, quality: 90, effort: 9 })
    .toFile(join(folder, `${name}.png`))
  console.log(`docs/images/${name}.png`)
}

async function takeScreenshots() {
  const executablePath = findOrInstall('chromium', 'chromium')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const signInPage = await browser.newPage({
    baseURL: base,
    viewport: { width: 1280, height: 860 },
  })
  await signInPage.goto('/admin/sign-in')
  await save(signInPage, 'sign-in-light')
  for (const { name, path, schemes = ['light' as const], width } of await shots()) {
    for (const scheme of schemes) {
      const page = await signedIn(browser, scheme, width)
      await page.goto(path)
      await save(page, `${name}-${scheme}`)
      await page.context().close()
    }
  }
  await browser.close()
}

mkdirSync(folder, { recursive: true })
await ignitor.httpServer().start()
const { default: app } = await import('@adonisjs/core/services/app')
const { migrate } = await import('#database/migrate')
await migrate(app)
const { makeDemo } = await import('./demo.ts')
await makeDemo()
await takeScreenshots()
await app.terminate()
rmSync(dataDir, { recursive: true, force: true })
