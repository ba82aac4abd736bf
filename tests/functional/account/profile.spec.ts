import { test } from '@japa/runner'
import sharp from 'sharp'
import { createUser, someEmail } from '#tests/support/fixtures'
import { mailsTo } from '#tests/support/mail'
import { htmlOf, person, textOf } from './person.ts'
import type User from '#models/user'

import { TestBrowser } from '../external/browser.ts'

function picture(bytes = 0) {
  const create = { width: 40, height: 30, channels: 3 as const, background: '#a03060' }
  return sharp({ create })
    .png()
    .toBuffer()
    .then((png) => Buffer.concat([png, Buffer.alloc(bytes)]))
}

/** Sends a picture as the form of the page does. */
async function upload(browser: TestBrowser, file: Buffer, token?: string) {
  const page = await htmlOf(browser.request('/account'))
  const [, csrf] = /name=['"]_csrf['"] value=['"]([^'"]+)/.exec(page)!
  const body = new FormData()
  body.set('_csrf', token ?? csrf)
  body.set('file', new Blob([Uint8Array.from(file)]), 'me.png')
  return browser.request('/account/picture', { method: 'POST', body })
}

const names = { username: 'Ada King', nickname: 'Countess', locale: 'de' }

async function pendingOf(user: User) {
  await user.refresh()
  return user.currentPendingEmail
}

test.group('Account | profile', () => {
  test('a person changes names and language', async ({ assert }) => {
    const { user, browser } = await person()
    const response = await browser.submit('/account', names)
    await user.refresh()
    assert.equal(response.headers.get('location'), '/account')
    assert.containsSubset(user.$attributes, names)
    assert.include(await textOf(await browser.request('/account')), 'Ihr Konto')
  })

  test('a person leaves the nickname and language out', async ({ assert }) => {
    const { user, browser } = await person()
    await browser.submit('/account', names)
    await browser.submit('/account', { username: 'Ada', nickname: '', locale: '' })
    await user.refresh()
    assert.deepEqual([user.nickname, user.locale], [null, null])
  })

  test('a form cannot change the role or verify an address', async ({ assert }) => {
    const { user, browser } = await person({ user: await createUser({ isVerified: false }) })
    await browser.submit('/account', { ...names, role: 'Admin', emailVerified: 'true' })
    await user.refresh()
    assert.deepEqual([user.role, user.isEmailVerified], ['User', false])
  })

  test('an empty name is refused beside its field', async ({ assert }) => {
    const { user, browser } = await person()
    const response = await browser.submit('/account', { ...names, username: '' })
    await user.refresh()
    assert.equal(response.status, 422)
    assert.equal(user.username, 'Ada')
  })

  test('a newcomer reads what is worth doing', async ({ assert }) => {
    const { browser } = await person({ user: await createUser({ isVerified: false }) })
    const text = await textOf(await browser.request('/account'))
    assert.include(text, 'Confirm your e-mail address')
    assert.include(text, 'Set up two-step verification')
  })
})

test.group('Account | picture', () => {
  test('a picture is uploaded and removed', async ({ assert }) => {
    const { user, browser } = await person()
    const uploaded = await upload(browser, await picture())
    await user.refresh()
    assert.equal(uploaded.headers.get('location'), '/account')
    assert.match(user.avatar!, /^\/avatars\//)
    await browser.submit('/account', {}, '/account/picture/remove')
    await user.refresh()
    assert.isNull(user.avatar)
  })

  test('a picture of a user who was signed out leads to the sign-in', async ({ assert }) => {
    const browser = new TestBrowser()
    await browser.request('/sign-in')
    const body = new URLSearchParams({ file: 'x' })
    for (const base of ['/account', '/admin/account']) {
      const response = await browser.request(`${base}/picture`, { method: 'POST', body })
      assert.equal(response.status, 303)
      assert.match(response.headers.get('location')!, /^\/sign-in\?next=/)
    }
  })

  test('a picture without the token of the page is refused', async ({ assert }) => {
    const { user, browser } = await person()
    const response = await upload(browser, await picture(), 'forged')
    await user.refresh()
    assert.equal(response.status, 403)
    assert.isNull(user.avatar)
  })

  test('a picture of more than 2 MB is told so', async ({ assert }) => {
    const { user, browser } = await person()
    const response = await upload(browser, await picture(2 * 1_024 * 1_024 + 1))
    assert.equal(response.headers.get('location'), '/account')
    assert.include(await textOf(await browser.request('/account')), 'larger than 2 MB')
    await user.refresh()
    assert.isNull(user.avatar)
  })

  test('a file that is no picture is refused beside its field', async ({ assert }) => {
    const { browser } = await person()
    const response = await upload(browser, Buffer.from('GIF89a'))
    assert.equal(response.status, 422)
  })
})

test.group('Account | address', () => {
  test('a new address waits for its link', async ({ assert }) => {
    const { user, browser } = await person()
    const email = someEmail()
    const response = await browser.submit('/account', { email }, '/account/address')
    assert.equal(response.headers.get('location'), '/account')
    assert.equal(await pendingOf(user), email)
    const text = await textOf(await browser.request('/account'))
    assert.include(text, `We are sending a link to ${email}`)
  })

  test('the link is mailed again on request', async ({ assert }) => {
    const { browser } = await person()
    const email = someEmail()
    await browser.submit('/account', { email }, '/account/address')
    await browser.submit('/account', {}, '/account/address/resend')
    assert.lengthOf(await mailsTo(email), 2)
  })

  test('a pending address is withdrawn', async ({ assert }) => {
    const { user, browser } = await person()
    await browser.submit('/account', { email: someEmail() }, '/account/address')
    await browser.submit('/account', {}, '/account/address/withdraw')
    assert.isNull(await pendingOf(user))
  })
})
