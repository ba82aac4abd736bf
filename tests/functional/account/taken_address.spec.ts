import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import limits from '#config/limits'
import { SYSTEM } from '#audit/actor'
import { deleteUser } from '#users/delete_user'
import { walkMailsOfUser } from '#mails/log/user_mails'
import { createUser, login, signedIn, someEmail } from '#tests/support/fixtures'
import { deliverMails, mailedToken, mailFilesOf } from '#tests/support/mail'
import type { TestBrowser } from '../external/browser.ts'
import { actionsOn, confirm, kindsTo } from '../users/change_address.ts'
import { htmlOf, person } from './person.ts'

function ask(browser: TestBrowser, email: string) {
  return browser.submit('/account', { email }, '/account/address')
}

/** A free address, and addresses of users in each state. No caller may tell them apart. */
const ADDRESSES = {
  free: async () => someEmail(),
  taken: () => emailOf(createUser()),
  unproved: () => emailOf(createUser({ isVerified: false })),
  disabled: async () => {
    const user = await createUser({ isVerified: false })
    await db.from('users').where('id', user.id).update({ disabled_at: Date.now() })
    return user.email
  },
}

async function emailOf(creation: Promise<User>) {
  const { email } = await creation
  return email
}

type AddressState = keyof typeof ADDRESSES

/** Returns the statements of a request that name its user or the address, in order. */
async function statementsOf(names: string[], request: () => Promise<Response>) {
  const statements: string[] = []
  const knex = db.connection().getWriteClient()
  const listen = ({ sql, bindings }: { sql: string; bindings?: unknown[] }) => {
    if (bindings?.some((binding) => names.includes(String(binding)))) statements.push(sql)
  }
  knex.on('query', listen)
  const response = await request()
  knex.off('query', listen)
  return { response, statements }
}

/** Returns the headers of a response. A header that varies is returned without its value. */
function headersOf(response: Response) {
  const changing = ['date', 'x-request-id', 'set-cookie', 'content-security-policy']
  return [...response.headers].map(([name, value]) => [name, changing.includes(name) || value])
}

/** Returns what the caller can see: the response, the page, the record, the mails, the activity. */
async function observe(state: AddressState) {
  const email = await ADDRESSES[state]()
  const { user, browser } = await person()
  const { response, statements } = await statementsOf([user.id, email], () => ask(browser, email))
  await deliverMails()
  const page = await htmlOf(browser.request('/account'))
  await user.refresh()
  const [mails] = await Array.fromAsync(walkMailsOfUser(user.id))
  return {
    status: response.status,
    headers: headersOf(response),
    statements,
    page: page
      .replaceAll(/nonce="[^"]*"|value='[^']*'|[\w-]{36}/g, '')
      .replaceAll(email, 'the address')
      .replaceAll(user.email, 'their address')
      .replaceAll(`<bdi>${user.handle}</bdi>`, '')
      .replaceAll(`value="${user.handle}"`, ''),
    isPending: user.currentPendingEmail === email,
    mails: mails.map(({ kind, status, recipient }) => [kind, status, recipient === email]),
    actions: await actionsOn(user),
  }
}

test.group('Account | address of another user', () => {
  test('{state} is answered like a free one')
    .with((['taken', 'unproved', 'disabled'] as const).map((state) => ({ state })))
    .run(async ({ assert }, { state }) => {
      const free = await observe('free')
      assert.isTrue(free.isPending)
      assert.isNotEmpty(free.statements)
      assert.deepEqual(await observe(state), free)
    })

  test('its owner gets a mail without a link', async ({ assert }) => {
    const [{ browser }, owner] = [await person(), await createUser()]
    await ask(browser, owner.email)
    await deliverMails()
    const mails = await mailFilesOf(owner.email)
    assert.lengthOf(mails, 1)
    assert.equal(mails[0].subject, 'Someone asked to use your address')
    assert.equal(mails[0].token, '')
  })

  test('one who never proved it gets their link again', async ({ client, assert }) => {
    const owner = await createUser({ isVerified: false })
    const { browser } = await person()
    await ask(browser, owner.email)
    await deliverMails()
    const [{ token }] = await mailFilesOf(owner.email)
    const page = await client.get('/verify-email').qs({ token })
    assert.include(page.text(), 'I did not create this account')
    await confirm(client, token)
    await owner.refresh()
    assert.isTrue(owner.isEmailVerified)
  })

  test('its owner gets no more mails than a free address', async ({ assert }) => {
    const [{ browser }, owner] = [await person(), await createUser()]
    await ask(browser, owner.email)
    for (let count = 0; count < limits.mailSender.limit; count++) {
      await browser.submit('/account', {}, '/account/address/resend')
    }
    const kinds = await kindsTo(owner.email)
    assert.lengthOf(kinds, limits.mailSender.limit)
  })

  test('the API refuses it behind its limit', async ({ client, assert }) => {
    const [user, owner] = [await createUser(), await createUser()]
    const { headers } = await signedIn(client, user)
    const response = await client.put('/auth/profile').headers(headers).json({ email: owner.email })
    response.assertStatus(409)
    assert.lengthOf(await kindsTo(owner.email), 0)
  })
})

test.group('Account | address that changes hands', () => {
  test('taken before the link is used, the link says so', async ({ client, assert }) => {
    const { user, browser } = await person()
    const email = someEmail()
    await ask(browser, email)
    const token = await mailedToken(email, 'email_change')
    await createUser({ email })
    const response = await confirm(client, token)
    response.assertStatus(409)
    await user.refresh()
    assert.notEqual(user.email, email)
  })

  test('taken before the mail is written, its owner gets it', async ({ assert }) => {
    const { browser } = await person()
    const email = someEmail()
    await ask(browser, email)
    await createUser({ email })
    await deliverMails()
    const [{ subject, token }] = await mailFilesOf(email)
    assert.deepEqual([subject, token], ['Someone asked to use your address', ''])
  })

  test('free again, it gets the link that is asked for again', async ({ client, assert }) => {
    const [{ user, browser }, owner] = [await person(), await createUser()]
    await ask(browser, owner.email)
    await deliverMails()
    await deleteUser(owner.id, SYSTEM)
    await browser.submit('/account', {}, '/account/address/resend')
    const response = await confirm(client, await mailedToken(owner.email, 'email_change'))
    response.assertStatus(200)
    const moved = await User.findOrFail(user.id)
    assert.equal(moved.email, owner.email)
    const signIn = await login(client, { email: owner.email })
    signIn.assertStatus(200)
  })
})
