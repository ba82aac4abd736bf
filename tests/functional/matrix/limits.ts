import { randomUUID } from 'node:crypto'
import {
  authorizationCodeGrant,
  clientCredentialsGrant,
  fetchUserInfo,
  getDPoPHandle,
  randomDPoPKeyPair,
  refreshTokenGrant,
  tokenRevocation,
} from 'openid-client'
import { timeTravel } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import documentation from '#config/documentation'
import limits from '#config/limits'
import passwords from '#config/passwords'
import { SYSTEM } from '#audit/actor'
import { listSeenDevices } from '#auth/devices/list_devices'
import { trackDevice } from '#auth/devices/remember_device'
import { clearCurrentPasswordThrottle } from '#auth/lockout/throttle'
import { countLateReturns, retryLater } from '#auth/store/late_store'
import { countMail, type MailBudget } from '#auth/lockout/mail_budget'
import { withHashSlot } from '#auth/passwords/hash_queue'
import { endSessions } from '#auth/sessions/sessions'
import { DEVICE_GRANT } from '#oidc/clients/client'
import { giveConsent, hasConsented, isConsented } from '#oidc/consents/consents'
import { parseMetadataUrl } from '#oidc/clients/metadata_url'
import { DatabaseAdapter } from '#oidc/provider/adapter'
import { addServiceAccount } from '#users/service_accounts'
import {
  createUser,
  keyOf,
  login,
  PASSWORD,
  signedIn,
  someAddress,
  someEmail,
} from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  Browser,
  browserOf,
  tokensOf,
} from '#tests/support/oidc'
import { mailedCode, otherThan } from '#tests/support/address_codes'
import { giveIdentities, linkOneMore } from '#tests/support/identities'
import { givePasskey } from '#tests/support/passkeys'
import { recordsWhere } from '#tests/support/trail'
import { someNetwork } from '#tests/support/users'
import { post, PUBLIC, signedInto } from '../oidc/attacker.ts'
import { outcomeOf as landingOf, typeCode, waitingBrowser } from '../oidc/waiting_browser.ts'
import { BACKUP_LIMITS } from './backup_limits.ts'
import { CLIENT_FIELD_LIMITS } from './client_field_limits.ts'
import { ask as askFor, ELSEWHERE, refusalsOf } from '#tests/support/refusals'
import { mayLogUnknown } from '#oidc/refusals/refusal_log'
import { CONFIGURATION_LIMITS } from './configuration_limits.ts'
import { DELEGATED_LIMITS } from './delegated_limits.ts'
import { DOCUMENT_LIMITS } from './document_limits.ts'
import { GROUP_LIMITS } from './group_limits.ts'
import { SECRET_LIMITS } from './secret_limits.ts'
import { SETTINGS_LIMITS } from './settings_limits.ts'
import { PAGE_LIMITS } from './page_limits.ts'
import { PICTURE_LIMITS } from './picture_limits.ts'
import { QUEUE_LIMITS } from './queue_limits.ts'
import { RECIPIENT_LIMITS } from './recipient_limits.ts'
import { SIZE_LIMITS } from './size_limits.ts'
import { TEXT_LIMITS } from './text_limits.ts'
import { giveSecondFactor } from './sign_in_methods.ts'
import { WEBHOOK_LIMITS } from './webhook_limits.ts'
import type { ApiClient, ApiRequest } from '@japa/api-client'

/** What a visitor, a user or an application can cause. A limit adds its row here. */

export interface LimitRow {
  /** The limit during the test, if the real limit would take long to reach. */
  lowered?: number
  /** Whether the last of `count` requests, or a value of this size, is allowed. */
  isAllowed: (count: number, client: ApiClient) => Promise<boolean>
}

const WRONG = 'Wrong-h0rse!'

/** Returns whether the last of `count` requests gets another answer than 429. */
export async function isAnswered(count: number, send: (number: number) => PromiseLike<StatusOf>) {
  let response: StatusOf | undefined
  for (let number = 1; number <= count; number++) response = await send(number)
  return response?.status() !== 429
}

/** Tries each way in turn. A way that allows more than the others would bypass the limit. */
export async function isEachAllowed(
  ways: Record<string, () => Promise<boolean>>
): Promise<boolean> {
  const allowed: string[] = []
  const refused: string[] = []
  for (const [name, isAllowed] of Object.entries(ways)) {
    const named = (await isAllowed()) ? allowed : refused
    named.push(name)
  }
  if (allowed.length > 0 && refused.length > 0)
    throw new Error(`Allowed: ${allowed.join(', ')}. Refused: ${refused.join(', ')}.`)
  return refused.length === 0
}

export interface StatusOf {
  status(): number
}

const from = (request: ApiRequest, address: string) => request.header('x-forwarded-for', address)

async function enrolledUser() {
  const user = await createUser()
  return { id: user.id, email: user.email, code: await giveSecondFactor(user) }
}

async function challengeOf(client: ApiClient, email: string): Promise<string> {
  const response = await login(client, { email })
  return response.body().mfaToken
}

function verifyCode(client: ApiClient, given: { mfaToken: string; code: string }) {
  return from(client.post('/auth/mfa/verify'), someAddress()).json(given)
}

/** Sends requests of one user. */
export async function asUser(
  count: number,
  client: ApiClient,
  send: (headers: Record<string, string>, number: number) => PromiseLike<StatusOf>
) {
  const { headers } = await signedIn(client, await createUser())
  return isAnswered(count, (number) => send(headers, number))
}

/** Sends requests that anybody can send, from one address. */
function fromAddress(send: (client: ApiClient, number: number) => ApiRequest) {
  return (count: number, client: ApiClient) => {
    const address = someAddress()
    return isAnswered(count, (number) => from(send(client, number), address))
  }
}

/** Counts mails to one recipient after the limit of all mails to them is used up. */
async function isMailed(count: number, budget: MailBudget, senderOf = (_: number) => 'one') {
  const recipient = someEmail()
  for (let mail = 0; mail < limits.mailRecipient.limit; mail++) {
    await countMail({ recipient, budget: null, sender: null })
  }
  let isSent = true
  for (let number = 1; number <= count; number++) {
    isSent = await countMail({ recipient, budget, sender: senderOf(number) })
  }
  return isSent
}

/** Returns whether the last of `count` steps of an application succeeds. */
async function isGranted(count: number, step: () => Promise<unknown>) {
  for (let number = 1; number < count; number++) await step()
  return step().then(
    () => true,
    () => false
  )
}

/** Requests codes in one session, after its first one. */
async function mayAskAgain(count: number, scope: string) {
  const app = await application({ kind: 'first_party' })
  const { browser } = await signedInBrowser()
  await tokensOf(app, browser, { scope })
  return isGranted(count, () => tokensOf(app, browser, { scope }))
}

async function someClientId() {
  const { client } = await application()
  return client.clientId
}

async function signedInBrowser() {
  const user = await createUser()
  return { id: user.id, browser: await browserOf(user) }
}

/** Guesses a secret of a client, and returns whether the last guess is answered. */
function guesses(addressOf: (number: number) => string) {
  return async (count: number, client: ApiClient) => {
    const { client: registered } = await application()
    return isAnswered(count, (number) => {
      const request = from(client.post('/oauth/introspect'), addressOf(number))
      return request.basicAuth(registered.clientId, 'wrong').form({ token: 'x' })
    })
  }
}

async function rememberedOf(clientId: string) {
  return db.from('oauth_records').where({ kind: 'ClientAddress', client_id: clientId })
}

function isStored(bytes: number) {
  const request = 'x'.repeat(bytes - JSON.stringify({ request: '' }).length)
  const adapter = new DatabaseAdapter('PushedAuthorizationRequest')
  const stored = adapter.upsert(`matrix-${bytes}`, { request }, 60)
  return stored.then(
    () => true,
    () => false
  )
}

/** Makes a grant this long by another service. Beyond the limit it drops the earlier services. */
async function keepsEarlierServices(bytes: number) {
  const app = await application({ kind: 'first_party' })
  const { id, browser } = await signedInBrowser()
  const [first, last] = ['https://first.example', 'https://last.example']
  const ask = (resource: string) => tokensOf(app, browser, { scope: 'openid', resource })
  await ask(first)
  const row = () => db.from('oauth_records').where({ kind: 'Grant', user_id: id })
  const { payload } = await row().firstOrFail()
  const { resources, ...grant } = JSON.parse(payload)
  const filled = (url: string) => ({ ...grant, resources: { ...resources, [url]: 'openid' } })
  const sizeAfter = Buffer.byteLength(JSON.stringify(filled(''))) + `,"${last}":"openid"`.length
  const stored = JSON.stringify(filled('x'.repeat(bytes - sizeAfter)))
  await row().update({ payload: stored })
  await ask(last)
  const after = await row().firstOrFail()
  return first in JSON.parse(after.payload).resources
}

/** One row for each name in `config/limits.ts`: a missing row fails the compilation. */
export const LIMITS: Record<keyof typeof limits, LimitRow> = {
  login: {
    lowered: 2,
    isAllowed: (count, client) => {
      const attempt = { email: someEmail(), address: someAddress(), password: WRONG }
      return isAnswered(count, () => login(client, attempt))
    },
  },
  lateReturns: {
    lowered: 2,
    isAllowed: async (count) => {
      /** Earlier tests leave some late returns. */
      Object.assign(limits, { lateReturns: limits.lateReturns + countLateReturns() })
      let returned = 0
      const takeBack = async () => ++returned > 0
      await Promise.all(Array.from({ length: count }, () => retryLater(takeBack)))
      return returned === count
    },
  },
  loginAddress: {
    lowered: 2,
    isAllowed: (count, client) => {
      const address = someAddress()
      return isAnswered(count, () =>
        login(client, { email: someEmail(), address, password: WRONG })
      )
    },
  },
  failureEvents: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const address = someAddress()
      const emails = Array.from({ length: count }, someEmail)
      for (const email of emails) await login(client, { email, address, password: WRONG })
      const events = await recordsWhere({ action: 'login.failed' })
      return events.some(({ details }) => details.email === emails.at(-1))
    },
  },
  register: {
    lowered: 2,
    isAllowed: fromAddress((client) => {
      const given = { username: 'Ada', email: someEmail(), password: PASSWORD }
      return client.post('/auth/register').json(given)
    }),
  },
  addressCodeTries: {
    lowered: 2,
    isAllowed: async (count) => {
      const { user, browser, page } = await waitingBrowser()
      const { code } = await mailedCode(user.email)
      for (let wrong = 1; wrong < count; wrong++) await typeCode(browser, page, otherThan(code))
      return landingOf(await typeCode(browser, page, code)) === 'signed in'
    },
  },
  addressCode: {
    lowered: 2,
    isAllowed: async (count) => {
      const { browser, page } = await waitingBrowser()
      return isAnswered(count, async () => {
        const { response } = await typeCode(browser, page, '000000')
        return { status: () => response.status }
      })
    },
  },
  addressCodeNetwork: {
    lowered: 2,
    isAllowed: async (count) => {
      const network = someNetwork()
      return isAnswered(count, async (number) => {
        const waiting = await waitingBrowser()
        Object.assign(waiting.browser, { address: `${network}:${number}::1` })
        /** This guess is not counted, because no code has been mailed yet. */
        await typeCode(waiting.browser, waiting.page, '000000')
        const { code } = await mailedCode(waiting.user.email)
        const { response } = await typeCode(waiting.browser, waiting.page, otherThan(code))
        return { status: () => response.status }
      })
    },
  },
  currentPassword: {
    isAllowed: (count, client) =>
      asUser(count, client, (headers) =>
        client.post('/auth/export').headers(headers).json({ currentPassword: WRONG })
      ),
  },
  passwordCheck: {
    isAllowed: async (count, client) => {
      const user = await createUser()
      const { headers } = await signedIn(client, user)
      return isAnswered(count, async () => {
        const given = { currentPassword: WRONG }
        const response = await client.post('/auth/export').headers(headers).json(given)
        await clearCurrentPasswordThrottle(user.id)
        return response
      })
    },
  },
  challengeTries: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const { email, code } = await enrolledUser()
      const mfaToken = await challengeOf(client, email)
      for (let wrong = 1; wrong < count; wrong++)
        await verifyCode(client, { mfaToken, code: '000000' })
      const response = await verifyCode(client, { mfaToken, code })
      return response.status() === 200
    },
  },
  wrongCodesInARow: {
    isAllowed: async (count, client) => {
      const { id, email, code } = await enrolledUser()
      await db
        .from('users')
        .where({ id })
        .update({ mfa_failures: count - 1 })
      const mfaToken = await challengeOf(client, email)
      const response = await verifyCode(client, { mfaToken, code })
      return response.status() === 200
    },
  },
  addressChange: {
    lowered: 2,
    isAllowed: (count, client) =>
      asUser(count, client, (headers) => {
        const given = { email: someEmail(), currentPassword: PASSWORD }
        return client.put('/auth/profile').headers(headers).json(given)
      }),
  },
  profileChange: {
    lowered: 2,
    isAllowed: (count, client) =>
      asUser(count, client, (headers, number) =>
        client
          .put('/auth/profile')
          .headers(headers)
          .json({ username: `Ada ${number}` })
      ),
  },
  handleChange: {
    isAllowed: (count, client) =>
      asUser(count, client, (headers) =>
        client
          .put('/auth/profile')
          .headers(headers)
          .json({ handle: `h${randomUUID()}` })
      ),
  },
  newApiKey: {
    lowered: 2,
    isAllowed: (count, client) =>
      asUser(count, client, (headers) => {
        const given = { name: 'Nightly', scopes: ['profile:read'], currentPassword: PASSWORD }
        return client.post('/auth/api-keys').headers(headers).json(given)
      }),
  },
  profileExport: {
    lowered: 2,
    isAllowed: (count, client) =>
      asUser(count, client, (headers) => client.get('/auth/export').headers(headers)),
  },
  code: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const user = await createUser()
      const { headers } = await signedIn(client, user)
      await giveSecondFactor(user)
      const given = { currentPassword: PASSWORD, code: 'WRONG-CODE' }
      return isAnswered(count, () => client.post('/auth/export').headers(headers).json(given))
    },
  },
  mailAddress: {
    lowered: 2,
    isAllowed: fromAddress((client) =>
      client.post('/auth/forgot-password').json({ email: someEmail() })
    ),
  },
  mailRecipient: {
    isAllowed: async (count, client) => {
      const user = await createUser({ isVerified: false })
      const { headers } = await signedIn(client, user)
      return isAnswered(count, () =>
        from(client.post('/auth/verify-email/resend').headers(headers), someAddress()).json({})
      )
    },
  },
  mailBudget: { isAllowed: (count) => isMailed(count, 'reset') },
  mailSender: { isAllowed: (count) => isMailed(count, 'new_address') },
  mailSenders: {
    isAllowed: (count) => isMailed(count, 'new_address', (number) => `sender ${number}`),
  },
  mailPreviousAddress: { isAllowed: (count) => isMailed(count, 'former_address') },
  ...QUEUE_LIMITS,
  ...RECIPIENT_LIMITS,
  ...DELEGATED_LIMITS,
  knownDevices: {
    lowered: 2,
    isAllowed: async (count) => {
      const { id } = await createUser()
      for (let number = 1; number <= count; number++) {
        timeTravel(1_000)
        await db.transaction((trx) => trackDevice(id, `network ${number}`, trx))
      }
      const kept = await listSeenDevices(id)
      return kept.length === count
    },
  },
  sessions: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const user = await createUser()
      const { headers } = await signedIn(client, user)
      for (let number = 2; number <= count; number++) {
        timeTravel(1_000)
        await signedIn(client, user)
      }
      const response = await client.get('/auth/profile').headers(headers)
      return response.status() === 200
    },
  },
  apiKeys: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const user = await createUser()
      for (let number = 1; number < count; number++) await keyOf(user)
      const { headers } = await signedIn(client, user)
      const given = { name: 'Last', scopes: ['profile:read'], currentPassword: PASSWORD }
      const response = await client.post('/auth/api-keys').headers(headers).json(given)
      return response.status() !== 409
    },
  },
  passkeys: {
    lowered: 2,
    isAllowed: async (count) => {
      const user = await createUser()
      for (let number = 1; number < count; number++) await givePasskey(user)
      return givePasskey(user).then(
        () => true,
        () => false
      )
    },
  },
  identities: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const user = await createUser()
      await giveIdentities(user, count - 1)
      const { sessionId } = await signedIn(client, user)
      return linkOneMore({ userId: user.id, sessionId }).then(
        () => true,
        () => false
      )
    },
  },
  hashQueue: {
    lowered: 2,
    isAllowed: async (count) => {
      const { hashConcurrency } = passwords
      passwords.hashConcurrency = 0
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const hashes = Array.from({ length: count }, () =>
        withHashSlot(() => promise).catch(() => false)
      )
      resolve(true)
      const areAllowed = await Promise.all(hashes)
      passwords.hashConcurrency = hashConcurrency
      return areAllowed.every(Boolean)
    },
  },
  bodyBytes: {
    isAllowed: async (count, client) => {
      const email = 'x'.repeat(count - JSON.stringify({ email: '' }).length)
      const response = await client.post('/auth/login').json({ email })
      return response.status() !== 413
    },
  },
  ...BACKUP_LIMITS,
  ...CONFIGURATION_LIMITS,
  ...GROUP_LIMITS,
  ...SECRET_LIMITS,
  ...SETTINGS_LIMITS,
  ...PAGE_LIMITS,
  ...PICTURE_LIMITS,
  ...SIZE_LIMITS,
  ...TEXT_LIMITS,
  ...WEBHOOK_LIMITS,
  ...CLIENT_FIELD_LIMITS,
  redeem: {
    lowered: 2,
    isAllowed: fromAddress((client) =>
      client.post('/auth/reset-password').json({ token: 'made up', password: PASSWORD })
    ),
  },
  authorization: {
    lowered: 2,
    isAllowed: async (count) => {
      const { url } = await authorizationRequest(await application(), { prompt: 'login' })
      const browser = new Browser()
      let status
      for (let number = 1; number <= count; number++) {
        const response = await browser.request(url)
        status = response.status
      }
      return status !== 429
    },
  },
  authorizationBytes: {
    isAllowed: (count) =>
      isEachAllowed({
        'a request': () => isStored(count),
        'the services of a grant': () => keepsEarlierServices(count),
      }),
  },
  resources: {
    isAllowed: async (count) => {
      const { url } = await authorizationRequest(await application({ kind: 'first_party' }))
      for (let number = 1; number <= count; number++) {
        url.searchParams.append('resource', `https://service-${number}.example`)
      }
      const { browser } = await signedInBrowser()
      const answer = await browser.open(url)
      return answer.url.searchParams.get('error') !== 'invalid_target'
    },
  },
  consentedServices: {
    lowered: 2,
    isAllowed: async (count) => {
      const { id: userId } = await createUser()
      const consent = { userId, clientId: await someClientId() }
      const asked = (number: number) => ({
        scopes: ['openid'],
        resources: [`https://service-${number}.example`],
      })
      for (let number = 1; number <= count; number++) {
        await giveConsent(consent, asked(number), SYSTEM)
      }
      return isConsented(consent, asked(1))
    },
  },
  consents: {
    lowered: 2,
    isAllowed: async (count) => {
      const { id: userId } = await createUser()
      const clientIds: string[] = []
      while (clientIds.length < count) {
        const clientId = await someClientId()
        await giveConsent({ userId, clientId }, { scopes: ['openid'], resources: [] }, SYSTEM)
        clientIds.push(clientId)
      }
      return hasConsented({ userId, clientId: clientIds[0] })
    },
  },
  resource: {
    isAllowed: async (count) => {
      const { url } = await authorizationRequest(await application({ kind: 'first_party' }))
      url.searchParams.append('resource', 'https://service.example/'.padEnd(count, 'x'))
      const { browser } = await signedInBrowser()
      const answer = await browser.open(url)
      return answer.url.searchParams.get('error') !== 'invalid_target'
    },
  },
  refusals: {
    lowered: 3,
    isAllowed: async (count) => {
      const app = await application()
      for (let number = 0; number < count; number++) {
        await askFor(app, { redirect_uri: `${ELSEWHERE}/${number}` })
      }
      const lines = await refusalsOf(app)
      return lines.some(({ sent }) => sent === `${ELSEWHERE}/0`)
    },
  },
  unknownClients: {
    isAllowed: async (count) => {
      const later = Date.now() + count * 2 * limits.unknownClients.windowMs
      const ids = Array.from({ length: count }, (_, number) => `unknown-${count}-${number}`)
      return ids.map((id) => mayLogUnknown(id, later)).at(-1)!
    },
  },
  claimsParameter: {
    isAllowed: async (count) => {
      const { url } = await authorizationRequest(await application({ kind: 'first_party' }))
      url.searchParams.append('claims', '{"userinfo":{}}'.padEnd(count))
      const { browser } = await signedInBrowser()
      const answer = await browser.open(url)
      return answer.url.searchParams.get('error') !== 'invalid_request'
    },
  },
  clientId: {
    isAllowed: async (count) =>
      parseMetadataUrl('https://client.example/'.padEnd(count, 'x')) !== null,
  },
  postedRequest: {
    isAllowed: async (count, client) => {
      const form = { client_id: 'a'.repeat(count - 'client_id='.length) }
      const response = await client.post('/oauth/authorize').redirects(0).form(form)
      return response.status() !== 413
    },
  },
  repeatedRequest: {
    isAllowed: async (count) => {
      const { url } = await authorizationRequest(await application(), { state: '' })
      const path = url.pathname + url.search
      url.searchParams.set('state', 'x'.repeat(count - path.length))
      const { html } = await new Browser().open(url)
      return html.includes('value="/oauth/authorize?')
    },
  },
  logoutParameter: {
    isAllowed: async (count, client) => {
      const response = await client.get('/oauth/logout').qs({ client_id: 'x'.repeat(count) })
      return response.status() === 400
    },
  },
  openAuthorizations: {
    lowered: 2,
    isAllowed: async (count) => {
      const interactions = () => db.from('oauth_records').where({ kind: 'Interaction' })
      await interactions().delete()
      const { url } = await authorizationRequest(await application(), { prompt: 'login' })
      for (let number = 1; number <= count; number++) {
        timeTravel(1_000)
        await new Browser().open(url)
      }
      const kept = await interactions()
      return kept.length === count
    },
  },
  ...DOCUMENT_LIMITS,
  clientSecret: {
    isAllowed: (count, client) => {
      const address = someAddress()
      return guesses(() => address)(count, client)
    },
  },
  clientSecrets: { lowered: 2, isAllowed: guesses(() => someAddress()) },
  clientAddresses: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const { client: registered, clientSecret } = await application()
      for (let number = 1; number <= count; number++) {
        const request = from(client.post('/oauth/introspect'), someAddress())
        await request.basicAuth(registered.clientId, clientSecret!).form({ token: 'x' })
      }
      const kept = await rememberedOf(registered.clientId)
      return kept.length === count
    },
  },
  rotation: {
    lowered: 2,
    isAllowed: async (count) => {
      const app = await application(PUBLIC)
      const { tokens } = await signedInto(app)
      const given = { grant_type: 'refresh_token', client_id: app.client.clientId }
      let [token, status] = [tokens.refresh_token!, 200]
      for (let number = 1; number <= count; number++) {
        const answer = await post('/oauth/token', { ...given, refresh_token: token })
        token = answer.body.refresh_token
        status = answer.status
      }
      return status === 200
    },
  },
  refresh: {
    lowered: 2,
    isAllowed: async (count) => {
      const app = await application({ kind: 'first_party' })
      const claims = JSON.stringify({ userinfo: { email: null } })
      const { tokens } = await signedInto(app, { claims })
      return isGranted(count, () => refreshTokenGrant(app.config, tokens.refresh_token!))
    },
  },
  userinfoProof: {
    lowered: 2,
    isAllowed: async (count) => {
      const app = await application({ kind: 'first_party' })
      const { url, checks } = await authorizationRequest(app)
      const { id, browser } = await signedInBrowser()
      const answer = await browser.open(url)
      const options = { DPoP: getDPoPHandle(app.config, await randomDPoPKeyPair()) }
      const granted = authorizationCodeGrant(app.config, answer.url, checks, {}, options)
      const { access_token: token } = await granted
      return isGranted(count, () => fetchUserInfo(app.config, token, id, options))
    },
  },
  tokenProof: {
    lowered: 3,
    isAllowed: async (count) => {
      const app = await application(PUBLIC)
      const { url, checks } = await authorizationRequest(app, { scope: 'openid offline_access' })
      const { browser } = await signedInBrowser()
      const answer = await browser.open(url)
      const options = { DPoP: getDPoPHandle(app.config, await randomDPoPKeyPair()) }
      const granted = authorizationCodeGrant(app.config, answer.url, checks, {}, options)
      const { refresh_token: token } = await granted
      return isGranted(count - 1, () => refreshTokenGrant(app.config, token!, {}, options))
    },
  },
  newGrant: {
    lowered: 2,
    isAllowed: async (count) => {
      const app = await application({ kind: 'first_party' })
      const { browser } = await signedInBrowser()
      return isGranted(count, async () => {
        const tokens = await tokensOf(app, browser, { scope: 'openid offline_access' })
        await tokenRevocation(app.config, tokens.refresh_token!)
      })
    },
  },
  authorizationCode: {
    lowered: 2,
    isAllowed: (count) => mayAskAgain(count, 'openid offline_access'),
  },
  renewalCode: {
    lowered: 2,
    isAllowed: (count) => mayAskAgain(count, 'openid'),
  },
  serviceSession: {
    lowered: 2,
    isAllowed: async (count) => {
      const account = await addServiceAccount({ username: 'Reports' }, SYSTEM)
      const { config } = await application({
        redirectUris: [],
        scopes: ['profile:read'],
        grantTypes: ['client_credentials'],
        serviceAccountId: account.id,
      })
      return isGranted(count, async () => {
        await clientCredentialsGrant(config, { scope: 'profile:read' })
        await endSessions(account.id)
      })
    },
  },
  revocation: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const user = await createUser()
      const [{ accessToken: token }, other] = [
        await signedIn(client, user),
        await signedIn(client, user),
      ]
      return isAnswered(count, () =>
        client.post('/auth/revoke').headers(other.headers).json({ token })
      )
    },
  },
  devicePoll: {
    lowered: 2,
    isAllowed: async (count) => {
      const { client } = await application({
        ...PUBLIC,
        redirectUris: [],
        grantTypes: [DEVICE_GRANT],
      })
      const who = { client_id: client.clientId }
      const { body } = await post('/oauth/device/authorization', { ...who, scope: 'openid' })
      const given = { ...who, grant_type: DEVICE_GRANT, device_code: body.device_code }
      let error
      for (let number = 1; number <= count; number++) {
        const answer = await post('/oauth/token', given)
        error = answer.body.error
      }
      return error === 'authorization_pending'
    },
  },
  documentation: {
    lowered: 2,
    isAllowed: async (count, client) => {
      const { access } = documentation
      documentation.access = 'basic'
      const ask = fromAddress((each) => each.get('/api-docs').basicAuth('admin', 'wrong'))
      return ask(count, client).finally(() => void (documentation.access = access))
    },
  },
}
