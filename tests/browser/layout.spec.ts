import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'
import type { Page } from 'playwright-core'
import { prepareKeys } from '#auth/signing_keys/prepare_keys'
import { someAddress } from '#tests/support/fixtures'
import { forgetSettings } from '#tests/support/settings'
import { signWith } from '#tests/support/signing_keys'
import { ANSWERS } from './layout/answers.ts'
import { makeHostileData, type HostileData } from './layout/hostile_data.ts'
import { NO_PAGES, PAGES, type Viewer } from './layout/pages.ts'
import { visit, visitAs, withBrowser } from './visitor.ts'

const WIDTHS = [320, 390, 768, 1024, 1280]
const MEASURE = readFileSync(new URL('layout/measure.js', import.meta.url), 'utf8')

/** Returns the patterns of routes that show a page: they have a language and do not redirect. */
function pageRoutes() {
  const routes = Object.values(router.toJSON()).flat()
  const isPage = ({ methods, handler, middleware }: (typeof routes)[number]) =>
    methods.includes('GET') &&
    typeof handler !== 'function' &&
    [...middleware.all()].some((each) => 'name' in each && each.name === 'language')
  return routes.filter(isPage).map(({ pattern }) => pattern)
}

/** Returns the problems of the open page at each width. */
async function problemsOf(page: Page, name: string) {
  const problems: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    const found = await page.evaluate<string[]>(MEASURE)
    problems.push(...found.map((problem) => `${name} at ${width}: ${problem}`))
  }
  return problems
}

async function openViewers({ user, admin }: HostileData): Promise<Record<Viewer, Page>> {
  const [{ page: ofUser }, { page: ofAdmin }] = [
    await visitAs(user, { idleMinutes: 1, path: '/account' }),
    await visitAs(admin, { idleMinutes: 1 }),
  ]
  return { nobody: await visit(), user: ofUser, admin: ofAdmin }
}

function speak(page: Page, language: string) {
  const headers = { 'accept-language': language, 'x-forwarded-for': someAddress() }
  return page.context().setExtraHTTPHeaders(headers)
}

test.group('Layout | every page', (group) => {
  withBrowser(group)
  signWith(group, 'ES256')
  group.each.teardown(forgetSettings)

  test('has an entry here', ({ assert }) => {
    const missing = pageRoutes().filter((route) => !(route in PAGES) && !NO_PAGES.has(route))
    assert.deepEqual(missing, [])
  })

  test('fits every width: {$self}')
    .with(['en', 'de', 'fr', 'es'])
    .timeout(300_000)
    .run(async ({ assert }, language) => {
      await prepareKeys()
      const data = await makeHostileData()
      const viewers = await openViewers(data)
      const problems: string[] = []
      for (const page of Object.values(viewers)) await speak(page, language)
      for (const [route, { viewer, path }] of Object.entries(PAGES)) {
        await viewers[viewer].goto(path?.(data) ?? route)
        problems.push(...(await problemsOf(viewers[viewer], `${language} ${route}`)))
      }
      for (const [name, { viewer, open }] of Object.entries(ANSWERS)) {
        await open(viewers[viewer], data)
        problems.push(...(await problemsOf(viewers[viewer], `${language} ${name}`)))
      }
      assert.deepEqual(problems, [])
    })
})
