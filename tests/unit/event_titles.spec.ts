import { test } from '@japa/runner'
import { i18nFor } from '#i18n/locales'
import { AUDITED_TYPES } from '#events/event_types'
import { FIELD_NAMES } from '#oidc/clients/client_fields'
import { CLIENT_FIELDS } from '#transformers/admin/client_words'
import { actionTitle, actorTitle, eventTitle } from '#transformers/admin/event_titles'
import { display, fieldTitle } from '#transformers/admin/event_fields'

const english = i18nFor('en')

const changed = (...fields: string[]) =>
  Object.fromEntries(fields.map((field) => [field, { before: 'a', after: 'b' }]))

test.group('Event titles', () => {
  test('name what one form has changed')
    .with([
      { action: 'account.updated', fields: ['username'], title: 'Name changed' },
      { action: 'role.changed', fields: ['role'], title: 'Role changed' },
      { action: 'role.changed', fields: ['username', 'role'], title: 'Name and role changed' },
      { action: 'email.changed', fields: ['email'], title: 'E-mail changed' },
      { action: 'account.disabled', fields: ['disabled', 'role'], title: 'Account disabled' },
    ])
    .run(({ assert }, { action, fields, title }) => {
      assert.equal(eventTitle(english, action, changed(...fields)), title)
    })

  test('read as sentences of people', ({ assert }) => {
    assert.equal(actionTitle(english, 'login.succeeded'), 'Signed in')
    assert.equal(actionTitle(english, 'mfa.reset'), 'Second factor reset')
    assert.equal(actionTitle(english, 'api_key.created'), 'API key created')
    assert.equal(actionTitle(english, 'email.change_undone'), 'E-mail change undone')
    assert.equal(actorTitle(english, 'anonymous'), 'someone not signed in')
    assert.equal(actorTitle(english, 'cli:root'), 'root, by a command')
  })

  test('explain the values of their details', ({ assert }) => {
    assert.equal(fieldTitle(english, 'mfa'), 'Second factor')
    assert.equal(display(english, 'mfa', false), 'not set up')
    assert.equal(display(english, 'reason', 'password'), 'wrong password')
    assert.equal(display(english, 'filter', { role: 'Admin', search: null }), 'Role: Admin')
    assert.equal(display(english, 'filter', { role: null }), 'all')
    assert.equal(display(english, 'resources', []), 'nothing')
    assert.equal(display(english, 'jwks', 'changed'), 'changed')
    assert.equal(display(english, 'reason', 'constructor'), 'constructor')
  })

  test('join changes as each language does')
    .with([
      { locale: 'de', title: 'Name und Rolle geändert' },
      { locale: 'fr', title: 'Modification\u00A0: nom et rôle' },
      { locale: 'es', title: 'Cambio: nombre y rol' },
    ])
    .run(({ assert }, { locale, title }) => {
      const details = changed('username', 'role')
      assert.equal(eventTitle(i18nFor(locale), 'role.changed', details), title)
    })

  test('have the words of the form for each field of an application', ({ assert }) => {
    const keyOf = (field: string) => CLIENT_FIELDS.get(field) ?? `events.fields.${field}`
    const missing = [...FIELD_NAMES, 'logo'].filter((field) => !english.hasMessage(keyOf(field)))
    assert.deepEqual(missing, [])
    assert.equal(fieldTitle(english, 'redirectUris'), 'Redirect addresses')
    assert.equal(display(english, 'access', 'everybody'), 'Everybody')
  })

  test('have a message for every action', ({ assert }) => {
    const missing = AUDITED_TYPES.filter(
      (action) => !english.hasMessage(`events.actions.${action}`)
    )
    assert.deepEqual(missing, [])
  })

  test('count what was left out', ({ assert }) => {
    const details = { count: 3 }
    assert.equal(eventTitle(english, 'login.failed', details), 'Sign-in failed, 3 more times')
    assert.equal(
      eventTitle(i18nFor('de'), 'login.failed', details),
      'Anmeldung fehlgeschlagen, noch 3-mal'
    )
  })

  test('name a setting as the environment does', ({ assert }) => {
    const german = i18nFor('de')
    assert.equal(fieldTitle(german, 'OIDC_ACME_ISSUER'), 'OIDC_ACME_ISSUER')
    assert.equal(display(german, 'SMTP_PASSWORD', 'changed'), 'geändert')
    assert.equal(display(german, 'username', 'changed'), 'changed')
  })

  test('titles keep words that have no translation', ({ assert }) => {
    const german = i18nFor('de')
    assert.equal(actionTitle(german, 'old.thing_done'), 'Old thing done')
    assert.equal(fieldTitle(german, 'someField'), 'Some field')
    assert.equal(display(german, 'username', 'yes'), 'yes')
    assert.equal(actorTitle(german, 'cli:root'), 'root, per Befehl')
  })
})
