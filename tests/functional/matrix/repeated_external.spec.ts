import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { listSessions } from '#auth/sessions/sessions'
import User from '#models/user'
import { HostileProvider } from '#tests/servers/hostile_provider'
import { callbackOfLink, confirmationOf, member, newcomer, unlink } from './external_steps.ts'

/*
 | Every step of an external sign-in × a double click and a later repetition. The result is one
 | user, one identity, one event, and one session for each answer that starts one.
 */

interface RepeatedStep {
  email: string
  send: () => Promise<Response>
  /** The status and the redirect of both requests. */
  answers: [first: string, second: string]
  /** The total of the user at the end. */
  identities?: number
  sessions?: number
  events: Record<string, number>
}

const SIGNED_UP = { 'account.registered': 1, 'identity.linked': 1 }
const SIGNED_IN = { ...SIGNED_UP, 'login.succeeded': 1 }
const LINKED = { 'identity.linked': 1 }
const UNLINKED = { 'identity.unlinked': 1 }

const TO_PAGES = '?next=/account'
const LINKED_PAGE = '302 /account/security/providers/hostile/linked?linked=hostile'

const STEPS: Record<string, (provider: HostileProvider) => Promise<RepeatedStep>> = {
  async 'the start'(provider) {
    const { email, browser } = newcomer(provider)
    const send = async () => browser.request(await browser.callbackOf('hostile'))
    const events = { ...SIGNED_UP, 'login.succeeded': 2 }
    return { email, send, answers: ['200', '200'], sessions: 2, events }
  },
  async 'the question before the start'(provider) {
    const { email, again } = await member(provider)
    const send = () => again(`/sign-in/external/hostile${TO_PAGES}`)
    return { email, send, answers: ['200', '200'], identities: 0, events: {} }
  },
  async 'the callback'(provider) {
    const { email, browser, again } = newcomer(provider)
    const callback = await browser.callbackOf('hostile')
    return { email, send: () => again(callback), answers: ['200', '400'], events: SIGNED_IN }
  },
  async 'the callback of a page'(provider) {
    const { email, browser, again } = newcomer(provider)
    const callback = await browser.callbackOf('hostile', TO_PAGES)
    const answers: RepeatedStep['answers'] = ['303 /sign-in/external', '400']
    return { email, send: () => again(callback), answers, sessions: 0, events: SIGNED_UP }
  },
  async 'the page after the callback'(provider) {
    const { email, browser, again } = newcomer(provider)
    await browser.request(await browser.callbackOf('hostile', TO_PAGES))
    const send = () => again('/sign-in/external')
    return { email, send, answers: ['303 /account', '400'], events: SIGNED_IN }
  },
  async 'the exchange of a code'(provider) {
    const { email, browser } = newcomer(provider)
    const query = '?returnTo=http://app.gatehouse.test/welcome'
    const back = await browser.request(await browser.callbackOf('hostile', query))
    const code = new URL(back.headers.get('location')!).searchParams.get('code')
    const json = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers: json, body: JSON.stringify({ code }) }
    const send = () => browser.request('/auth/external/exchange', init)
    return { email, send, answers: ['200', '400'], events: SIGNED_IN }
  },
  async 'the form that links'(provider) {
    const linking = await member(provider)
    const send = async () => linking.browser.request(await callbackOfLink(linking))
    return { ...linking, send, answers: [LINKED_PAGE, LINKED_PAGE], events: LINKED }
  },
  async 'the callback that links'(provider) {
    const linking = await member(provider)
    const callback = await callbackOfLink(linking)
    const send = () => linking.again(callback)
    return { ...linking, send, answers: [LINKED_PAGE, '400'], events: LINKED }
  },
  async 'the form that unlinks'(provider) {
    const linked = await member(provider, { isLinked: true })
    const answers: RepeatedStep['answers'] = ['303 /account/security', '404']
    return { ...linked, send: () => unlink(linked), answers, identities: 0, events: UNLINKED }
  },
  async 'the password that confirms an unlinking'(provider) {
    const linked = await member(provider, { isLinked: true, isOld: true })
    const send = await confirmationOf(linked)
    const answers: RepeatedStep['answers'] = ['303 /account/security', '404']
    const events = { ...UNLINKED, 'reauthentication.succeeded': 1 }
    return { ...linked, send, answers, identities: 0, events }
  },
  async 'the provider that confirms'(provider) {
    const linked = await member(provider, { isLinked: true, isOld: true })
    const { browser, again } = linked
    await browser.request(await browser.callbackOf('hostile', `${TO_PAGES}&prompt=login`))
    const send = () => again('/sign-in/external')
    const events = { 'login.succeeded': 1, 'session.ended': 1 }
    return { ...linked, send, answers: ['303 /account', '400'], events }
  },
}

const WAYS: Record<string, (send: RepeatedStep['send']) => Promise<Response[]>> = {
  'at once': (send) => Promise.all([send(), send()]),
  'later': async (send) => [await send(), await send()],
}

const CELLS = Object.keys(STEPS).flatMap((step) => Object.keys(WAYS).map((way) => ({ step, way })))

function shown({ status, headers }: Response) {
  const to = headers.get('location')?.replace(process.env.APP_URL!, '')
  return to ? `${status} ${to}` : String(status)
}

async function stateOf(email: string) {
  const users = await User.query().where('email', email)
  const [{ id }] = users
  const identities = await db.from('identities').where('user_id', id)
  const sessions = await listSessions(id)
  const rows = await db.from('audit_events').where('target_id', id).select('action')
  const events = Object.entries(Object.groupBy(rows, ({ action }) => action as string))
  return {
    users: users.length,
    identities: identities.length,
    sessions: sessions.length,
    events: Object.fromEntries(events.map(([action, of]) => [action, of!.length])),
  }
}

test.group('Matrix | external steps that are sent again', (group) => {
  let provider: HostileProvider
  group.each.setup(async () => {
    provider = new HostileProvider(process.env.OIDC_HOSTILE_ISSUER!)
    await provider.start()
    return () => provider.stop() as Promise<void>
  })

  test('{step}, sent twice, the second {way}, counts once')
    .with(CELLS)
    .run(async ({ assert }, { step, way }) => {
      const {
        email,
        send,
        answers,
        identities = 1,
        sessions = 1,
        events,
      } = await STEPS[step](provider)
      const responses = await WAYS[way](send)
      const given = responses.map(shown)
      assert.deepEqual(way === 'later' ? given : given.toSorted(), answers)
      assert.deepEqual(await stateOf(email), { users: 1, identities, sessions, events })
    })
})
