import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import i18nManager from '@adonisjs/i18n/services/main'
import { appUrl } from '#config/app'
import { failed, passed, warning } from '#health/check_result'
import { runCheck } from '#health/diagnostics'
import { recentDiagnoses } from '#health/recent_diagnoses'
import { shared } from '#health/shared_result'
import { sentence } from '#i18n/sentences'
import { parseChangelog } from '#pages/system/changelog'
import { checkRows, verdictOf } from '#pages/system/check_rows'
import { createAdmin } from '#tests/support/fixtures'
import { until } from '#tests/support/waiting'
import { htmlOf, person } from '../account/person.ts'
import { TestBrowser } from '../external/browser.ts'

const FINDING = sentence('backup.none')

const RESULTS = {
  ok: () => passed(FINDING),
  warning: () => warning(FINDING, sentence('proxies.remedy')),
  error: () => failed(FINDING, sentence('proxies.remedy')),
}

const diagnosis = (name: string, status: keyof typeof RESULTS) => ({ name, ...RESULTS[status]() })

test.group('System | page', () => {
  test('shows administrators each check, the queues and the version', async ({ assert }) => {
    const { browser } = await person({ user: await createAdmin() })
    const page = await htmlOf(browser.request('/admin/system'))
    const { diagnoses } = await recentDiagnoses()
    const rows = checkRows(i18nManager.locale('en'), diagnoses)
    for (const { title } of rows) assert.include(page, `<h3>${title}</h3>`)
    assert.match(page, /Logout messages[^]*waiting/)
    assert.match(page, /New in version \d+\.\d+\.\d+/)
    assert.notInclude(page, 'translation missing')
  })

  test('names an address in the browser that is not APP_URL', async ({ assert }) => {
    const { browser } = await person({ user: await createAdmin() })
    const page = await htmlOf(browser.request('/admin/system'))
    const isSame = new URL(appUrl).host === `127.0.0.1:${process.env.PORT}`
    assert.equal(page.includes('differs from APP_URL'), !isSame)
  })

  test('shows the heavy checks once they have run', async () => {
    const { browser } = await person({ user: await createAdmin() })
    await until(async () => {
      const page = await htmlOf(browser.request('/admin/system'))
      return page.includes('password checks a second')
    })
  })

  test('answers users with 403 and others with the sign-in', async ({ assert }) => {
    const { browser } = await person()
    const { status } = await browser.request('/admin/system')
    assert.equal(status, 403)
    const response = await new TestBrowser().request('/admin/system')
    assert.include(response.headers.get('location'), '/sign-in')
  })
})

test.group('System | verdict', () => {
  test('names failed checks before warnings: {$i}')
    .with([
      { given: ['ok', 'ok'] as const, kind: 'good', text: /^Every check passed/ },
      { given: ['ok', 'warning'] as const, kind: 'warn', text: /One thing .* Disk space/ },
      { given: ['warning', 'error'] as const, kind: 'bad', text: /^One check failed: Disk space/ },
    ])
    .run(({ assert }, { given, kind, text }) => {
      const i18n = i18nManager.locale('en')
      const rows = checkRows(i18n, [diagnosis('mail', given[0]), diagnosis('disk', given[1])])
      const verdict = verdictOf(i18n, rows)
      assert.equal(verdict.kind, kind)
      assert.match(verdict.text, text)
    })

  test('shows a check without a translation by its own name', ({ assert }) => {
    const [row] = checkRows(i18nManager.locale('en'), [diagnosis('new thing', 'error')])
    const finding = 'None was made yet.'
    assert.containSubset(row, { title: 'New thing', finding, kind: 'bad' })
  })

  test('a check that throws is a failed one', async ({ assert }) => {
    const check = { name: 'broken', run: () => Promise.reject(new Error('out of order')) }
    const { status, message } = await runCheck(check as any)
    assert.equal(status, 'error')
    assert.include(message, 'out of order')
  })
})

test.group('System | cost', () => {
  test('readers at the same time and later share one run', async ({ assert }) => {
    let runs = 0
    const read = shared(async () => {
      await wait(5)
      return ++runs
    }, 60_000)
    assert.deepEqual(await Promise.all([read(), read(), read()]), [1, 1, 1])
    assert.equal(await read(), 1)
  })

  test('an old result and an error are not kept', async ({ assert }) => {
    let runs = 0
    const read = shared(async () => {
      if (++runs === 1) throw new Error('down')
      return runs
    }, 0)
    await assert.rejects(read, 'down')
    assert.deepEqual([await read(), await read()], [2, 3])
  })
})

test.group('System | changelog', () => {
  test('is read by release and theme, without marks', ({ assert }) => {
    const markdown =
      '# C\n\n## 0.3.0 (soon)\n\n### Do\n\n- **Set** `A` ([docs](d.md)).\n\n## 0.2.0\n'
    assert.deepEqual(parseChangelog(markdown), [
      { version: '0.3.0', themes: [{ title: 'Do', items: ['Set A (docs).'] }] },
      { version: '0.2.0', themes: [] },
    ])
  })
})
