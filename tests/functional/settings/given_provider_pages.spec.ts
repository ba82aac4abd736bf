import { test } from '@japa/runner'
import config from '#config/settings'
import limits from '#config/limits'
import { setLimit } from '#tests/support/limits'
import { htmlOf, textOf } from '../account/person.ts'
import { useGithub } from './environment_github.ts'
import { administrator, PATH } from './settings_browser.ts'

const TRY = '/providers/github/test'

const REFUSAL = { status: 200, error: 'incorrect_client_credentials' }

test.group('Settings | pages of a provider of the environment', (group) => {
  const github = useGithub(group)
  group.each.setup(() => {
    github.behaviour = { refusal: REFUSAL }
  })

  test('the list has a button that tries each', async ({ assert }) => {
    const { open, send } = await administrator()
    const page = await open()
    assert.include(page, `action="${PATH}/providers/acme/test"`)
    assert.include(page, `action="${PATH}${TRY}"`)
    github.behaviour = { refusal: { status: 200, error: 'bad_verification_code' } }
    const answer = await send(TRY, {})
    assert.equal(answer.status, 200)
    assert.match(await htmlOf(answer), /notice-good[^]*knows this client ID and its secret/)
  })

  test('what failed is told in the language of the reader', async ({ assert }) => {
    const { user, send } = await administrator()
    await user.merge({ locale: 'de' }).save()
    const page = await htmlOf(send(TRY, {}))
    assert.match(page, /notice-bad[^]*lehnt diese Client-ID/)
  })

  test('its page shows what is set and has no field', async ({ assert }) => {
    const { browser } = await administrator()
    const page = await htmlOf(browser.request(`${PATH}/providers/github`))
    assert.include(page, '/auth/external/github/callback')
    assert.include(page, `action="${PATH}${TRY}"`)
    assert.notMatch(page, /name="(issuer|clientId|clientSecret)"|providers\/github\/delete/)
  })

  test('what is typed changes no try', async ({ assert }) => {
    const { send } = await administrator()
    const typed = { issuer: 'https://id.invalid', clientId: 'other', clientSecret: 'other' }
    assert.match(await htmlOf(send(TRY, typed)), /notice-bad[^]*refuses this client ID or secret/)
  })

  test('a recent authentication is asked for', async ({ assert }) => {
    const { send } = await administrator({ isOld: true })
    const answer = await send(TRY, {})
    assert.equal(answer.status, 403)
    assert.include(await textOf(answer), 'Try or save an external provider.')
  })

  test('one try too many is refused on its page', async ({ assert }) => {
    setLimit(limits.settingsTest, 1)
    const { send } = await administrator()
    const first = await send(TRY, {})
    const second = await send(TRY, {})
    assert.deepEqual([first.status, second.status], [200, 429])
    assert.notInclude(await htmlOf(second), 'name="clientSecret"')
  })

  test('SETTINGS_IN_CONSOLE=off takes the buttons away', async ({ assert, cleanup }) => {
    const { open, browser } = await administrator()
    config.inConsole = false
    cleanup(() => {
      config.inConsole = true
    })
    const pages = await Promise.all([open(), htmlOf(browser.request(`${PATH}/providers/github`))])
    for (const page of pages) assert.notInclude(page, `${PATH}${TRY}`)
  })
})
