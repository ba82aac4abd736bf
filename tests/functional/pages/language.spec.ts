import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import User from '#models/user'
import {
  createAdmin,
  createUser,
  login,
  PASSWORD,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import { TestBrowser } from '../external/browser.ts'

const INVALID = {
  en: 'Enter a valid e-mail address',
  de: 'Geben Sie eine gültige E-Mail-Adresse ein',
  fr: 'Saisissez une adresse e-mail valide',
  es: 'Introduzca una dirección de correo válida',
}

const url = (path: string) => `http://127.0.0.1:${process.env.PORT}${path}`

/** Returns the page of a form that was sent with an invalid address. */
async function invalidForm(headers: Record<string, string>, path = '/forgot-password') {
  const response = await new TestBrowser(headers).submit(path, { email: 'nobody' })
  return response.text()
}

function languageOf(page: string) {
  return /<html lang="([^"]+)"/.exec(page)?.[1]
}

async function accessTokenOf(client: ApiClient, { email }: User): Promise<string> {
  const response = await login(client, { email })
  return response.body().accessToken
}

test.group('Pages | language', () => {
  test('is {locale} for a browser that asks {accepted}')
    .with([
      { accepted: 'de', locale: 'de' },
      { accepted: 'de-AT,en;q=0.5', locale: 'de' },
      { accepted: 'pt-BR, fr;q=0.8, en;q=0.7', locale: 'fr' },
      { accepted: 'es-MX', locale: 'es' },
      { accepted: 'zz', locale: 'en' },
      { accepted: '*', locale: 'en' },
    ] as const)
    .run(async ({ assert }, { accepted, locale }) => {
      const page = await invalidForm({ 'accept-language': accepted })
      assert.equal(languageOf(page), locale)
      assert.include(page, INVALID[locale])
    })

  test('a page is English for an overlong language list', async ({ assert }) => {
    const page = await invalidForm({ 'accept-language': `${'x'.repeat(4_000)},de` })
    assert.equal(languageOf(page), 'en')
  })

  test('follows the application rather than the browser', async ({ assert }) => {
    const path = '/forgot-password?ui_locales=pt+es+en'
    const page = await invalidForm({ 'accept-language': 'de' }, path)
    assert.equal(languageOf(page), 'es')
  })

  test('is kept by the steps after the first page', async ({ assert }) => {
    const first = await fetch(url('/sign-in?ui_locales=fr'))
    const cookie = first.headers.getSetCookie().map((each) => each.split(';')[0])
    const headers = { 'cookie': cookie.join('; '), 'accept-language': 'de' }
    const second = await fetch(url('/sign-in'), { headers })
    assert.equal(languageOf(await second.text()), 'fr')
  })

  test('is the one that a signed-in user chose', async ({ client, assert }) => {
    const admin = await createAdmin()
    await admin.merge({ locale: 'es' }).save()
    const request = client.get('/admin?ui_locales=fr').withGuard('web').loginAs(admin)
    const page = await request.header('accept-language', 'de')
    assert.equal(languageOf(page.text()), 'es')
  })

  test('the browser decides where the user’s language is gone', async ({ client, assert }) => {
    const admin = await createAdmin()
    await admin.merge({ locale: 'eo' }).save()
    const request = client.get('/admin').withGuard('web').loginAs(admin)
    const page = await request.header('accept-language', 'de')
    assert.equal(languageOf(page.text()), 'de')
  })

  test('error pages take the language of the reader', async ({ assert }) => {
    const page = await fetch(url('/admin/nowhere/at/all'), { headers: { 'accept-language': 'de' } })
    const text = await page.text()
    assert.equal(page.status, 404)
    assert.equal(languageOf(text), 'de')
    assert.include(text, 'Nicht gefunden')
  })

  test('leaves messages of the API in English', async ({ client }) => {
    const response = await client.get('/auth/profile').header('accept-language', 'de')
    response.assertStatus(401)
    response.assertBodyContains({ message: 'Unauthorized' })
  })
})

test.group('Users | language', () => {
  test('is remembered from the browser that signed up', async ({ client, assert }) => {
    const email = someEmail()
    const request = client.post('/auth/register').header('x-forwarded-for', someAddress())
    const account = { email, username: 'Ada', password: PASSWORD }
    const response = await request.header('accept-language', 'fr-CH, de;q=0.9').json(account)
    response.assertStatus(201)
    const user = await User.findByOrFail('email', email)
    assert.equal(user.locale, 'fr')
  })

  test('is not kept as English, which no browser has to be told', async ({ assert }) => {
    const [email, browser] = [someEmail(), new TestBrowser({ 'accept-language': 'en-US,en' })]
    await browser.submit('/sign-up', { email, username: 'Ada', password: PASSWORD })
    const { locale } = await User.findByOrFail('email', email)
    assert.isNull(locale)
    const phone = new TestBrowser({ 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' })
    await phone.submit('/sign-in', { email, password: PASSWORD })
    const account = await phone.request('/account')
    assert.equal(languageOf(await account.text()), 'de')
  })

  test('is unknown where nothing asks for one', async ({ assert }) => {
    const user = await createUser()
    assert.isNull(user.locale)
  })

  test('is changed and taken back by its user', async ({ client, assert }) => {
    const user = await createUser()
    const token = await accessTokenOf(client, user)
    for (const locale of ['de', null]) {
      const response = await client.put('/auth/profile').bearerToken(token).json({ locale })
      response.assertStatus(200)
      await user.refresh()
      assert.equal(user.locale, locale)
    }
  })

  test('is refused when there are no texts in it')
    .with(['eo', 'DE', 'de-x', '', 'e'.repeat(1_000)])
    .run(async ({ client }, locale) => {
      const user = await createUser()
      const token = await accessTokenOf(client, user)
      const response = await client.put('/auth/profile').bearerToken(token).json({ locale })
      response.assertStatus(400)
      response.assertBodyContains({ errors: [{ field: 'locale', rule: 'locale' }] })
    })
})
