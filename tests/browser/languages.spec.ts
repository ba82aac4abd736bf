import { test } from '@japa/runner'
import type { Page } from 'playwright-core'
import { createUser, signedIn } from '#tests/support/fixtures'
import { CONSOLE_PATHS, visit, visitAs, withBrowser } from './visitor.ts'

const PHONE = { width: 390, height: 844 }

const WITHOUT_SESSION = ['/sign-in', '/sign-up', '/forgot-password', '/reset-password', '/sign-out']

const FACTS = `({
  lang: document.documentElement.lang,
  lacksText: document.documentElement.outerHTML.includes('translation missing'),
  wide: document.documentElement.scrollWidth,
})`

interface Facts {
  lang: string
  lacksText: boolean
  wide: number
}

/** Opens pages, and returns their faults: a wrong language, a missing text, or a text too wide. */
async function faultsOf(page: Page, paths: string[], language: string) {
  const faults: string[] = []
  for (const path of paths) {
    await page.goto(path)
    const { lang, lacksText, wide } = await page.evaluate<Facts>(FACTS)
    if (lang !== language) faults.push(`${path} is in ${lang}`)
    if (lacksText) faults.push(`${path} lacks a text`)
    if (wide > PHONE.width) faults.push(`${path} is ${wide} pixels wide`)
  }
  return faults
}

test.group('Pages of each language', (group) => {
  withBrowser(group)

  test('are whole and fit a phone without a session: {$self}')
    .with(['de', 'fr', 'es'])
    .run(async ({ assert }, language) => {
      const page = await visit({ locale: language, viewport: PHONE })
      assert.deepEqual(await faultsOf(page, WITHOUT_SESSION, language), [])
    })

  test('are whole and fit a phone in the console: {$self}')
    .with(['de', 'fr', 'es'])
    .run(async ({ client, assert }, language) => {
      const { page, user } = await visitAs(undefined, { locale: language, viewport: PHONE })
      const other = await createUser()
      await signedIn(client, other)
      const own = [other.id, user.id].map((id) => `/admin/users/${id}`)
      const paths = [...CONSOLE_PATHS, ...own, `/admin/users/${other.id}/delete`]
      assert.deepEqual(await faultsOf(page, paths, language), [])
    })

  test('tell events in the language of their reader: {locale}')
    .with([
      { locale: 'de', title: 'Angemeldet', factor: 'Zweiter Faktor: nicht eingerichtet' },
      { locale: 'fr', title: 'Connexion réussie', factor: 'Second facteur\u00A0: non configuré' },
      { locale: 'es', title: 'Sesión iniciada', factor: 'Segundo factor: sin configurar' },
    ])
    .run(async ({ client, assert }, { locale, title, factor }) => {
      const other = await createUser()
      await signedIn(client, other)
      const { page } = await visitAs(undefined, { locale })
      await page.goto(`/admin/audit?account=${other.id}`)
      const text = await page.locator('tbody').innerText()
      for (const words of [title, factor]) assert.include(text, words)
      await page.goto(`/admin/users/${other.id}`)
      await page.getByText(title).first().waitFor()
    })
})
