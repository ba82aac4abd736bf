import { readFile } from 'node:fs/promises'
import { test } from '@japa/runner'
import { generate } from 'otplib'
import i18nManager from '@adonisjs/i18n/services/main'
import User from '#models/user'
import { PASSWORD, someEmail } from '#tests/support/fixtures'
import { mailedToken } from '#tests/support/mail'
import { press, tabTo, typeInto } from './keyboard.ts'
import { visit, withBrowser } from './visitor.ts'
import type { Assert } from '@japa/assert'
import type { Page } from 'playwright-core'

/*
 | The life of an account of a person who has only a browser: on a telephone, without a mouse and
 | without JavaScript, in each language.
 */

const OTHER = 'An0ther-horse!'

interface Walk {
  page: Page
  assert: Assert
  email: string
  /** Returns a text in the language of the walk. */
  t: (key: string, values?: Record<string, unknown>) => string
}

async function signUp({ page, email, t }: Walk) {
  await page.goto('/sign-up')
  await typeInto(page, t('sign_in.sign_up.name'), 'Ada Lovelace')
  await typeInto(page, t('sign_in.email'), email)
  await typeInto(page, t('sign_in.password'), PASSWORD)
  await press(page, t('sign_in.sign_up.submit'))
  await page.getByRole('heading', { name: t('sign_in.mailbox.title') }).waitFor()
}

async function verify({ page, email, t }: Walk) {
  await page.goto(`/verify-email?token=${await mailedToken(email, 'email_verification')}`)
  await press(page, t('links.verify.button'))
  await page.getByRole('heading', { name: t('links.verified.title') }).waitFor()
}

async function signIn({ page, email, t }: Walk, password: string) {
  await page.goto('/sign-in')
  await typeInto(page, t('sign_in.email'), email)
  await typeInto(page, t('sign_in.password'), password)
  await press(page, t('sign_in.submit'))
}

/** Turns the second factor on, and returns a backup code. */
async function turnOnMfa({ page, t }: Walk) {
  await press(page, t('account.nav.security'))
  await press(page, t('account.mfa.setup'))
  const shown = await page.locator('output.secret').innerText()
  const secret = shown.replaceAll(' ', '')
  await typeInto(page, t('account.code'), await generate({ secret }))
  await press(page, t('account.mfa_setup.button'))
  const code = await page.locator('#codes code').first().innerText()
  await press(page, t('account.done'))
  return code
}

async function signOutEverywhere({ page, t }: Walk) {
  await press(page, t('account.nav.sessions'))
  await press(page, t('account.sessions.everywhere'))
  await page.getByText(t('account.sessions.ended_all')).waitFor()
}

async function recover({ page, email, t }: Walk) {
  await press(page, t('sign_in.forgot'))
  await typeInto(page, t('links.email'), email)
  await press(page, t('links.forgot.button'))
  await page.goto(`/reset-password?token=${await mailedToken(email, 'password_reset')}`)
  await typeInto(page, t('links.new_password'), OTHER)
  await press(page, t('links.reset.button'))
  await page.getByRole('heading', { name: t('links.set.title') }).waitFor()
}

async function signInWithCode(walk: Walk, code: string) {
  const { page, t } = walk
  await signIn(walk, OTHER)
  await typeInto(page, t('sign_in.code.label'), code)
  await press(page, t('sign_in.code.submit'))
  await page.getByRole('heading', { name: t('account.profile.title') }).waitFor()
}

async function changeAddress({ page, t }: Walk) {
  const email = someEmail()
  await tabTo(page, t('account.address.change'))
  await page.keyboard.press('Enter')
  await typeInto(page, t('account.address.new'), email)
  await press(page, t('account.address.send'))
  await page.goto(`/verify-email?token=${await mailedToken(email, 'email_change')}`)
  await press(page, t('links.change.button'))
  return email
}

async function download({ page, assert, t }: Walk, email: string) {
  await page.goto('/account/data')
  await tabTo(page, t('account.data.download'))
  const started = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const file = await started
  const exported = JSON.parse(await readFile(await file.path(), 'utf8'))
  assert.equal(exported.account.email, email)
}

async function deleteAccount({ page, t }: Walk) {
  await press(page, t('account.deletion.open'))
  await tabTo(page, t('account.deletion.understood'))
  await page.keyboard.press('Space')
  await press(page, t('account.deletion.button'))
  await page.getByRole('heading', { name: t('account.deletion.done_title') }).waitFor()
}

test.group('The life of an account', (group) => {
  withBrowser(group)

  test('needs a browser, a keyboard and no more, in {language}')
    .with([{ language: 'en' }, { language: 'de' }, { language: 'fr' }, { language: 'es' }])
    .run(async ({ assert }, { language }) => {
      const viewport = { width: 390, height: 844 }
      const page = await visit({ javaScriptEnabled: false, locale: language, viewport })
      const i18n = i18nManager.locale(language)
      const walk: Walk = { page, assert, email: someEmail(), t: (...given) => i18n.t(...given) }
      await signUp(walk)
      await verify(walk)
      await signIn(walk, PASSWORD)
      const code = await turnOnMfa(walk)
      await signOutEverywhere(walk)
      await recover(walk)
      await signInWithCode(walk, code)
      const email = await changeAddress(walk)
      await download(walk, email)
      await deleteAccount(walk)
      assert.isNull(await User.findBy('email', email))
    })
})
