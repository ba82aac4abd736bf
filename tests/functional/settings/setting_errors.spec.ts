import { test } from '@japa/runner'
import { forgetSettings, silenceSettingsMails } from '#tests/support/settings'
import { provedOn } from '#tests/support/proved_on'
import { htmlOf } from '../account/person.ts'
import { administrator, fieldsWith } from './settings_browser.ts'

provedOn('sqlite', 'Errors are texts in a language; other files prove how settings are stored.')

const ENGLISH = /must |has a contrast|The \w+ (field|setting)/

async function german() {
  const visit = await administrator()
  await visit.user.merge({ locale: 'de' }).save()
  return visit
}

test.group('Settings | errors in the language of the reader', (group) => {
  silenceSettingsMails(group)
  group.each.teardown(forgetSettings)

  test('{name} “{value}”')
    .with([
      { card: 'brand', name: 'BRAND_NAME', value: '<b>', says: /60 Zeichen/ },
      { card: 'brand', name: 'BRAND_COLOR', value: 'rot', says: /Farbe wie #2f56cf/ },
      { card: 'brand', name: 'BRAND_COLOR', value: '#ffff00', says: /Kontrast von 1\.07:1/ },
      { card: 'mail', name: 'MAIL_FROM', value: 'nobody', says: /no-reply@example\.org/ },
      { card: 'mail', name: 'SMTP_PORT', value: '0', says: /von 1 bis 65535/ },
      { card: 'mail', name: 'SMTP_HOST', value: 'x'.repeat(5_000), says: /Zeichen in einer Zeile/ },
      { card: 'access', name: 'SIGN_UP_DOMAINS', value: 'a b', says: /Domains wie example\.org/ },
      { card: 'access', name: 'SIGN_UP', value: 'closed', says: /der angebotenen Werte/ },
    ])
    .run(async ({ assert }, { card, name, value, says }) => {
      const { send } = await german()
      const answer = await send(`/${card}`, await fieldsWith({ [name]: value }))
      assert.equal(answer.status, 422)
      const page = await htmlOf(answer)
      const [, error] = page.split(`id="field-${name}-error"`)
      const [text] = error.split('</ul>')
      assert.match(text, says)
      assert.notMatch(text, ENGLISH)
    })

  test('the name and issuer of a provider', async ({ assert }) => {
    const { send } = await german()
    const typed = { name: 'No Name', issuer: 'http://10.0.0.1', clientId: 'a', clientSecret: 'b' }
    const page = await htmlOf(send('/providers', typed))
    assert.match(page, /field-name-error[^]*Kleinbuchstaben, Ziffern/)
    assert.match(page, /field-issuer-error[^]*öffentliche https-Adresse/)
  })

  test('a secret that another issuer needs again', async ({ assert }) => {
    const { send } = await german()
    const saved = { name: 'contoso', issuer: 'https://id.invalid', clientId: 'a', anyway: 'true' }
    await send('/providers', { ...saved, clientSecret: 'Sesame-9-open' })
    const moved = { issuer: 'https://other.invalid', clientId: 'a', anyway: 'true' }
    const page = await htmlOf(send('/providers/contoso', moved))
    assert.match(page, /field-clientSecret-error[^]*Geben Sie das Geheimnis noch einmal ein/)
  })
})
