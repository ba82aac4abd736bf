import { test } from '@japa/runner'
import type { NewClient } from '#oidc/clients/client_fields'
import { createUser, PASSWORD } from '#tests/support/fixtures'
import {
  application,
  authorizationRequest,
  Browser,
  browserOf,
  type Application,
  type Page,
} from '#tests/support/oidc'
import { provedOn } from '#tests/support/proved_on'
import type User from '#models/user'

provedOn('sqlite', 'Addresses are compared in memory; other files prove how clients are stored.')

/* Every kind of redirect address × what the user does during the request. */

type Settings = Partial<NewClient>

const SECRET: Settings = { kind: 'first_party', allowHttp: true }
const PUBLIC: Settings = { ...SECRET, tokenEndpointAuthMethod: 'none' }

const ADDRESSES = {
  'https': { uri: 'https://app.example.org/cb', settings: SECRET },
  'https of a public client': { uri: 'https://app.example.org/cb', settings: PUBLIC },
  'loopback': { uri: 'http://127.0.0.1:4000/cb', settings: SECRET },
  'loopback of a public client': { uri: 'http://[::1]:4000/cb', settings: PUBLIC },
  'http in a network': { uri: 'http://10.0.0.5/cb', settings: SECRET },
  'http of a public client': { uri: 'http://nas.local/cb', settings: PUBLIC },
  'the scheme of an app': { uri: 'com.example.app:/cb', settings: SECRET },
  'the scheme of a public client': { uri: 'com.example.app:/cb', settings: PUBLIC },
}

interface Scene {
  app: Application
  uri: string
  user: User
}

async function opened({ app, uri, user }: Scene, parameters: Record<string, string> = {}) {
  const { url } = await authorizationRequest(app, { redirect_uri: uri, ...parameters })
  const browser = await browserOf(user)
  return { browser, page: await browser.open(url) }
}

/** Returns a code, a form that contains one, an error, or the page that asks the user. */
function outcomeOf({ url, html, response }: Page) {
  if (html.includes('id="answer"')) return 'a form'
  const [code, error] = ['code', 'error'].map((name) => url.searchParams.get(name))
  if (code || error) return code ? 'code' : error
  return html.includes('Continue to Grafana?') ? 'a click' : `page ${response.status}`
}

const open = async (scene: Scene, parameters: Record<string, string> = {}) => {
  const { page } = await opened(scene, parameters)
  return outcomeOf(page)
}

async function signIn({ app, uri, user }: Scene) {
  const { url } = await authorizationRequest(app, { redirect_uri: uri })
  const browser = new Browser()
  const page = await browser.open(url)
  const credentials = { email: user.email, password: PASSWORD }
  return outcomeOf(await browser.submit(page, /^\/sign-in$/, credentials))
}

async function submit(
  scene: Scene,
  parameters: Record<string, string>,
  { form, fields }: { form: RegExp; fields: Record<string, string> }
) {
  const { browser, page } = await opened(scene, parameters)
  return outcomeOf(await browser.submit(page, form, fields))
}

const ALLOW = { form: /interaction/, fields: { decision: 'allow' } }
const CONFIRM = { form: /^\/confirm$/, fields: { password: PASSWORD } }

const STEPS = {
  'is signed in': (scene: Scene) => open(scene),
  'is signed in, with prompt=none': (scene: Scene) => open(scene, { prompt: 'none' }),
  'signs in': signIn,
  'confirms': (scene: Scene) => submit(scene, { prompt: 'login' }, CONFIRM),
  'chooses the account': (scene: Scene) => submit(scene, { prompt: 'select_account' }, ALLOW),
  'gets a form': (scene: Scene) => open(scene, { response_mode: 'form_post' }),
  'has a library without PKCE': (scene: Scene) =>
    open({ ...scene, app: { ...scene.app, lacksPkce: true } }),
}

type Outcomes = Record<keyof typeof STEPS, string>

const OPEN: Outcomes = {
  'is signed in': 'code',
  'is signed in, with prompt=none': 'code',
  'signs in': 'code',
  'confirms': 'code',
  'chooses the account': 'code',
  'gets a form': 'a form',
  'has a library without PKCE': 'code',
}

const CLICKED: Outcomes = {
  ...OPEN,
  'is signed in': 'a click',
  'is signed in, with prompt=none': 'interaction_required',
  'gets a form': 'invalid_request',
  'has a library without PKCE': 'a click',
}

const REQUIRED = { 'has a library without PKCE': 'invalid_request' }

const MATRIX: Record<keyof typeof ADDRESSES, Outcomes> = {
  'https': OPEN,
  'https of a public client': { ...OPEN, ...REQUIRED },
  'loopback': OPEN,
  'loopback of a public client': { ...CLICKED, ...REQUIRED, 'gets a form': 'a click' },
  'http in a network': CLICKED,
  'http of a public client': { ...CLICKED, ...REQUIRED },
  'the scheme of an app': { ...CLICKED, ...REQUIRED },
  'the scheme of a public client': { ...CLICKED, ...REQUIRED },
}

test.group('Matrix | redirect addresses', () => {
  const cells = Object.entries(MATRIX).flatMap(([address, outcomes]) =>
    Object.entries(outcomes).map(([step, outcome]) => ({ address, step, outcome }))
  )

  test('{address}, and the user {step}: {outcome}')
    .with(cells)
    .run(async ({ assert }, { address, step, outcome }) => {
      const { uri, settings } = ADDRESSES[address as keyof typeof ADDRESSES]
      const app = await application({ ...settings, redirectUris: [uri] })
      const scene = { app, uri, user: await createUser() }
      assert.equal(await STEPS[step as keyof typeof STEPS](scene), outcome)
    })
})
