import { test } from '@japa/runner'
import { SYSTEM } from '#audit/actor'
import { endAllSessionsAs } from '#auth/sessions/end_session'
import User from '#models/user'
import { createAdmin, createUser, PASSWORD } from '#tests/support/fixtures'
import { holdTransaction } from '#tests/support/held_transaction'
import { application, authorizationRequest, browserOf } from '#tests/support/oidc'
import { provedOn } from '#tests/support/proved_on'
import { htmlOf, person } from '../account/person.ts'
import { leaveForm, replayForm, savedIn } from '../account/left_form.ts'
import { LEAVE } from '../oidc/waiting_browser.ts'
import { PAGE_SIGN_INS, type PageSignInName } from './page_sign_ins.ts'
import type { TestBrowser } from '../external/browser.ts'

provedOn('sqlite', 'a form waits in the browser, and the sign-in before it is in another table')

/*
 | Every sign-in by the pages × a form that was sent before it. At an unattended browser, anybody
 | can fill in a form, sign out, and wait for the owner: a form that gives access is named first.
 */

interface Scene {
  browser: TestBrowser
  admin: User
  user: User
}

interface LeftForm {
  /** Returns the saved form as a page of the browser contains it. */
  leave: (scene: Scene) => Promise<string>
  path: (scene: Scene) => string
  isDone: (scene: Scene) => Promise<boolean>
}

const detailsOf = ({ email, username, nickname }: User) => ({
  email: email!,
  username,
  nickname: nickname ?? '',
  role: 'Admin',
})

const makesAdmin = {
  path: ({ user }: Scene) => `/admin/users/${user.id}`,
  isDone: async ({ user }: Scene) => {
    const { role } = await User.findOrFail(user.id)
    return role === 'Admin'
  },
}

const FORMS: Record<string, LeftForm> = {
  'that no page named': {
    ...makesAdmin,
    leave: (scene) => leaveForm(scene.browser, makesAdmin.path(scene), detailsOf(scene.user)),
  },
  /** The page that asks for the password saved the form, and named it to another person. */
  'that a page named': {
    ...makesAdmin,
    async leave(scene) {
      const { browser, user } = scene
      const asked = await browser.submit('/account', detailsOf(user), makesAdmin.path(scene))
      const savedForm = savedIn(await htmlOf(asked))
      await browser.submit('/sign-out')
      return savedForm
    },
  },
  'that gives no access': {
    path: () => '/account',
    leave: ({ browser }) => leaveForm(browser, '/account', { username: 'Left', nickname: '' }),
    isDone: async ({ admin }) => {
      const { username } = await User.findOrFail(admin.id)
      return username === 'Left'
    },
  },
}

type Outcomes = Record<keyof typeof FORMS, string>

const CARRIED: Outcomes = {
  'that no page named': 'named first',
  'that a page named': 'dropped',
  'that gives no access': 'done',
}

/** Sign-ins whose pages are opened from elsewhere, and do not pass a form on. */
const NOT_CARRIED: Outcomes = {
  'that no page named': 'dropped',
  'that a page named': 'dropped',
  'that gives no access': 'dropped',
}

const MATRIX: Record<PageSignInName, Outcomes> = {
  'password': CARRIED,
  'code': CARRIED,
  'passkey': CARRIED,
  'passkey step': CARRIED,
  'external': NOT_CARRIED,
  'external and code': NOT_CARRIED,
  'temporary password': NOT_CARRIED,
}

const CELLS = Object.entries(MATRIX).flatMap(([way, outcomes]) =>
  Object.entries(outcomes).map(([form, outcome]) => ({ way, form, outcome }))
)

async function outcomeOf({ path, isDone }: LeftForm, scene: Scene, savedForm: string) {
  const { browser, user } = scene
  const page = await replayForm(browser, path(scene), savedForm)
  if (await isDone(scene)) return 'done'
  const html = await htmlOf(page)
  const isNamed = page.status === 403 && html.includes(user.label)
  return isNamed ? 'named first' : `answered ${page.status}`
}

test.group('Matrix | sign-ins by a form that was left', () => {
  test('a form {form} before a sign-in by {way} is {outcome}')
    .with(CELLS)
    .run(async ({ client, assert }, { way, form, outcome }) => {
      const [admin, { id }] = [await createAdmin(), await createUser({ username: 'Left alone' })]
      const enter = await PAGE_SIGN_INS[way as PageSignInName](admin, client)
      const { browser } = await person({ user: admin, isOld: form === 'that a page named' })
      const scene = { browser, admin, user: await User.findOrFail(id) }
      const savedForm = await FORMS[form].leave(scene)
      const answer = await enter(browser, { savedForm })
      const account = await browser.request('/account')
      const isRepeated = answer.status === 307
      const shown = isRepeated ? await outcomeOf(FORMS[form], scene, savedForm) : 'dropped'
      assert.deepEqual([account.status, shown], [200, outcome])
      assert.equal(await FORMS[form].isDone(scene), outcome === 'done')
    })
})

/** Forms of pages that restore no form, and the page to which their sign-in leads. */
const NOT_REPEATED: { path: string; fields: Record<string, string>; page: string }[] = [
  { path: '/oauth/device/answer', fields: { decision: 'allow' }, page: '/oauth/device' },
  { path: '/oauth/device/address', fields: { code: '123456' }, page: '/oauth/device' },
  {
    path: '/oauth/interaction/left/address',
    fields: { code: '123456' },
    page: '/oauth/interaction/left',
  },
]

const nextIn = (page: string) => /name="next" value="([^"]+)"/.exec(page)?.[1]

test.group('Matrix | forms that no sign-in repeats', () => {
  test('{path} leads to {page}')
    .with(NOT_REPEATED)
    .run(async ({ assert }, { path, fields, page }) => {
      const { browser, user } = await person()
      await browser.submit('/sign-out')
      const left = await browser.submit('/sign-in', fields, path)
      const shown = await left.text()
      assert.deepEqual([left.status, nextIn(shown)], [401, page])
      assert.notInclude(shown, 'name="savedForm"')
      const credentials = { email: user.email!, password: PASSWORD, next: page }
      const answer = await browser.submit('/sign-in', credentials)
      assert.equal(answer.status, 303)
      assert.isTrue(answer.headers.get('location')!.startsWith(page))
    })
})

test.group('Matrix | a consent whose session ends meanwhile', () => {
  test('is asked for again, and refuses nothing', async ({ assert }) => {
    const user = await createUser()
    const browser = await browserOf(user)
    const { url } = await authorizationRequest(await application())
    const consent = await browser.open(url)
    const held = holdTransaction()
    const answer = browser.send(consent, LEAVE, { decision: 'allow' })
    await held.begun
    await endAllSessionsAs(user.id, SYSTEM)
    held.release()
    const left = await answer
    assert.equal(left.status, 401)
    const signIn = { url: consent.url, response: left, html: await left.text() }
    const credentials = { email: user.email!, password: PASSWORD }
    const again = await browser.submit(signIn, /^\/sign-in$/, credentials)
    assert.equal(again.url.pathname, consent.url.pathname)
    assert.include(again.html, 'value="allow"')
  })
})
