import { test } from '@japa/runner'
import i18nManager from '@adonisjs/i18n/services/main'
import { explainFailure } from '#health/check_failures'
import { failed, warning } from '#health/check_result'
import { inEnglish, inLanguage, sentence } from '#i18n/sentences'
import { checkRows } from '#pages/system/check_rows'
import { LANGUAGES, messagesIn, readSources } from './messages.ts'

const keys = [...messagesIn('en').keys()]
  .filter((key) => key.startsWith('doctor.'))
  .map((key) => key.slice('doctor.'.length))

/** Keys that are composed at run time: the rules of failures and of settings. */
const PUT_TOGETHER = /^(failures\.\w+|settings\.ineffective)\.(\w+)$/

test.group('Sentences of the doctor', () => {
  test('have no key that nothing uses', ({ assert }) => {
    const sources = readSources()
    const isUsed = (key: string) => {
      const [, parent, last] = PUT_TOGETHER.exec(key) ?? []
      const name = parent === 'settings.ineffective' ? last : parent?.split('.')[1]
      return [key, name].some((text) => text && sources.includes(`'${text}'`))
    }
    assert.deepEqual(
      keys.filter((key) => !isUsed(key)),
      []
    )
  })

  test('have every key that is used', ({ assert }) => {
    const used = [...readSources().matchAll(/\bsentence\(\s*'([\w.]+)'/g)].map(([, key]) => key)
    assert.isAbove(used.length, 60)
    assert.deepEqual(
      used.filter((key) => !keys.includes(key)),
      []
    )
  })

  test('are the same in English in a terminal and on a page', ({ assert }) => {
    const english = i18nManager.locale('en')
    const values = { name: 'Nightly', day: '2026-01-31', more: 2 }
    const told = sentence('api_keys.expires', values, ' (detail)')
    assert.equal(inEnglish(told), '“Nightly” expires on 2026-01-31, and 2 more (detail)')
    assert.equal(inLanguage(english, told), inEnglish(told))
  })

  test('a page tells them in its language, and doctor in English: {$self}')
    .with(LANGUAGES.filter((language) => language !== 'en'))
    .run(({ assert }, language) => {
      const { finding, remedy } = explainFailure('clock', { code: 'ECONNREFUSED' })
      const results = [
        failed(finding, remedy),
        warning([sentence('backup.none'), sentence('disk.good', { free: 5 })]),
      ]
      const diagnoses = results.map((result) => ({ name: 'clock', ...result }))
      const rows = checkRows(i18nManager.locale(language), diagnoses)
      const text = JSON.stringify(rows)
      assert.notMatch(text, /not checked|See|none was made|translation missing|undefined/)
      assert.match(text, /\b5 M[Bo] /)
      assert.equal(results[0].message, 'not checked')
      assert.equal(results[0].meta!.remedy, 'See “database”.')
    })
})
