import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { SYSTEM } from '#audit/actor'
import { appUrl } from '#config/app'
import { firstRunChecklist } from '#pages/dashboard/checklist'
import { STEPS } from '#pages/dashboard/first_run_steps'
import { changeSettings } from '#settings/change_settings'
import { skipStep } from '#users/installation'
import { i18nFor } from '#i18n/locales'
import { createAdmin } from '#tests/support/fixtures'
import { forgetSettings } from '#tests/support/settings'
import { htmlOf, person } from '../account/person.ts'

const OPEN = { checklist_dismissed_at: null, skipped_steps: null }

async function stepsFor(origin: string | null = null) {
  const steps = await firstRunChecklist(await createAdmin(), i18nFor('en'), origin)
  return new Map(steps?.map((step) => [step.name, step]))
}

const byConsole = { actor: SYSTEM, ifMatch: null }

test.group('First run | steps', (group) => {
  group.each.setup(async () => {
    await skipStep('docs')
    await db.from('installation').update(OPEN)
  })
  group.each.teardown(async () => {
    await db.from('installation').update(OPEN)
    await forgetSettings()
  })

  test('name, sign-up and the address are ticked by what is so', async ({ assert }) => {
    const before = await stepsFor('http://elsewhere.example.org')
    for (const name of ['brand', 'sign_up', 'address'] as const) {
      assert.isFalse(before.get(name)!.isDone, name)
    }
    await changeSettings({ BRAND_NAME: 'Acme', SIGN_UP: 'open' }, byConsole)
    const after = await stepsFor(new URL(appUrl).origin)
    for (const name of ['brand', 'sign_up', 'address'] as const) {
      assert.isTrue(after.get(name)!.isDone, name)
    }
  })

  test('another address is named beside APP_URL', async ({ assert }) => {
    const steps = await stepsFor('https://elsewhere.example.org')
    const address = steps.get('address')
    assert.include(address!.text, 'https://elsewhere.example.org')
    assert.include(address!.text, appUrl)
  })

  test('each can be skipped, and two at once both are', async ({ assert }) => {
    await Promise.all([skipStep('brand'), skipStep('sign_up'), skipStep('brand')])
    const steps = await stepsFor()
    const skipped = [...steps.values()].filter(({ isSkipped }) => isSkipped)
    assert.deepEqual(
      skipped.map(({ name }) => name),
      ['brand', 'sign_up']
    )
    const { skipped_steps: stored } = await db.from('installation').firstOrFail()
    assert.lengthOf(stored.split(',').filter(Boolean), 2)
  })

  test('the list ends once all are done or skipped', async ({ assert }) => {
    for (const name of STEPS) await skipStep(name)
    assert.isNull(await firstRunChecklist(await createAdmin(), i18nFor('en')))
    const { checklist_dismissed_at: at } = await db.from('installation').firstOrFail()
    assert.isNotNull(at)
  })

  test('an administrator skips one on the dashboard', async ({ assert }) => {
    const { browser } = await person({ user: await createAdmin() })
    const answer = await browser.submit('/admin', {}, '/admin/checklist/skip/sign_up')
    assert.equal(answer.headers.get('location'), '/admin')
    assert.match(await htmlOf(browser.request('/admin')), /Decide who may sign up[^]{0,900}Skipped/)
    const unknown = await browser.submit('/admin', {}, '/admin/checklist/skip/nothing')
    assert.equal(unknown.status, 404)
  })
})
