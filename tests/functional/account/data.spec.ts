import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { userActor } from '#audit/actor'
import { recordAudit } from '#audit/record_audit'
import { listSessions } from '#auth/sessions/sessions'
import { createAdmin, createUser, PASSWORD, signedIn } from '#tests/support/fixtures'
import { htmlOf, person, textOf } from './person.ts'

function record(id: string, count: number) {
  const actor = userActor(id, { ip: '203.0.113.7', userAgent: null })
  return db.transaction(async (trx) => {
    for (let index = 0; index < count; index++) {
      await recordAudit({ action: 'account.updated', actor, targetId: id }, trx)
    }
  })
}

const confirm = { confirm: 'true' }

test.group('Account | sessions', () => {
  test('one session ends and the others go on', async ({ client, assert }) => {
    const { user, browser, sessionId } = await person()
    const other = await signedIn(client, user)
    const path = `/account/sessions/${other.sessionId}/end`
    await browser.submit('/account/sessions', {}, path)
    const profile = await client.get('/auth/profile').headers(other.headers)
    profile.assertStatus(401)
    const left = await listSessions(user.id)
    assert.deepEqual(
      left.map(({ id }) => id),
      [sessionId]
    )
  })

  test('the present session cannot be ended by its button', async ({ assert }) => {
    const { browser, sessionId } = await person()
    const html = await htmlOf(browser.request('/account/sessions'))
    assert.include(html, 'This session')
    assert.notInclude(html, sessionId)
  })

  test('signing out everywhere ends them all', async ({ client, assert }) => {
    const { user, browser } = await person()
    await signedIn(client, user)
    const response = await browser.submit('/account/sessions', {}, '/account/sessions/end')
    const signIn = await browser.request('/sign-in')
    assert.equal(response.headers.get('location'), '/sign-in')
    assert.include(await textOf(signIn), 'You are signed out everywhere.')
    assert.lengthOf(await listSessions(user.id), 0)
  })
})

test.group('Account | activity', () => {
  test('every event is on exactly one page', async ({ assert }) => {
    const { user, browser } = await person()
    await record(user.id, 60)
    const counts: number[] = []
    let path: string | undefined = '/account/activity'
    while (path) {
      const html: string = await htmlOf(browser.request(path))
      counts.push(html.match(/class="line-title"/g)?.length ?? 0)
      path = /href="(\/account\/activity\?after=[^"]+)"/.exec(html)?.[1]
    }
    assert.deepEqual(counts, [25, 25, 10])
  })

  test('events of others are not shown', async ({ assert }) => {
    const { browser } = await person()
    const other = await createUser()
    await record(other.id, 1)
    const text = await textOf(await browser.request('/account/activity'))
    assert.include(text, 'Nothing more')
  })

  test('a cursor that is none starts at the newest', async ({ assert }) => {
    const { user, browser } = await person()
    await record(user.id, 1)
    const response = await browser.request('/account/activity?after=%27--')
    assert.equal(response.status, 200)
    assert.include(await textOf(response), 'Newest first')
  })
})

test.group('Account | data', () => {
  test('the export is a file with everything', async ({ assert }) => {
    const { user, browser } = await person()
    const response = await browser.submit('/account/data', {}, '/account/data/export')
    const exported = JSON.parse(await response.text())
    assert.match(response.headers.get('content-disposition')!, /^attachment; filename="account-/)
    assert.equal(exported.account.email, user.email)
    assert.containsSubset(Object.keys(exported), ['sessions', 'apiKeys', 'mails', 'activity'])
  })

  test('the download opens after a proof', async ({ assert }) => {
    const { browser } = await person({ isOld: true })
    const before = await htmlOf(browser.request('/account/data'))
    const asked = await browser.submit('/account/data', {}, '/account/data/begin')
    const [, savedForm] = /name="savedForm" value="([^"]+)"/.exec(await asked.text())!
    await browser.submit('/confirm', { savedForm, password: PASSWORD, next: '/account' })
    const after = await htmlOf(browser.request('/account/data'))
    assert.notInclude(before, '/account/data/export')
    assert.include(after, '/account/data/export')
  })

  test('an account is deleted once that is understood', async ({ assert }) => {
    const { user, browser } = await person()
    const path = '/account/data/delete'
    const without = await browser.submit(path)
    assert.equal(without.status, 422)
    assert.exists(await User.find(user.id))
    const response = await browser.submit(path, confirm)
    assert.include(await textOf(response), 'Your account is deleted')
    assert.isNull(await User.find(user.id))
    const { status } = await browser.request('/account')
    assert.equal(status, 302)
  })

  test('the last administrator is told why they stay', async ({ assert }) => {
    const admin = await createAdmin()
    const others = User.query().where('role', 'Admin').whereNot('id', admin.id)
    const hidden = await others.clone()
    await User.query()
      .whereIn(
        'id',
        hidden.map(({ id }) => id)
      )
      .update({ role: 'User' })
    const { browser } = await person({ user: admin })
    const response = await browser.submit('/account/data/delete', confirm)
    await User.query()
      .whereIn(
        'id',
        hidden.map(({ id }) => id)
      )
      .update({ role: 'Admin' })
    assert.equal(response.status, 409)
    assert.exists(await User.find(admin.id))
  })
})
