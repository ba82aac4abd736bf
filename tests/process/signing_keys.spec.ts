import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPrivateKey } from 'node:crypto'
import { test } from '@japa/runner'
import Sqlite from 'better-sqlite3'
import env from '#start/env'
import { decryptPrivateKey } from '#auth/signing_keys/key_pair'
import { decodeClaims, decodeHeader } from '#tests/support/fixtures'
import { freePort } from '#tests/support/free_port'
import { Certificate } from '#tests/servers/certificate'
import { until } from '#tests/support/waiting'
import { ace } from './ace.ts'
import { Backend, newcomer, patientProfileStatus, signIn } from './backend.ts'
import { MovedClock } from './moved_clock.ts'
import { newDataDirFor, Product } from './product.ts'
import {
  apacheVerifier,
  goVerifier,
  hasGo,
  LoadBalancer,
  nginxVerifier,
  pythonVerifier,
  typescriptVerifier,
  type Verifier,
} from './token_verifiers.ts'

const MINUTE = 60_000

/** What the Go example says about each token that it refuses. */
const REFUSED = 'no good access token'

interface PublishedKey {
  kid: string
}

async function publishedIds(product: Product) {
  const { body } = await product.ask('/.well-known/jwks.json')
  return body.keys.map(({ kid }: PublishedKey) => kid) as string[]
}

async function refresh(product: Product, refreshToken: string) {
  const { status, body } = await product.ask('/auth/refresh', { body: { refreshToken } })
  if (status !== 200) throw new Error(`refresh answered ${status} ${JSON.stringify(body)}`)
  return body.accessToken as string
}

/** Returns a valid token with the payload of another one. */
function tampered(token: string, other: string) {
  const [header, , signature] = token.split('.')
  return [header, other.split('.')[1], signature].join('.')
}

test.group('Signing keys | two processes', (group) => {
  const clock = new MovedClock()
  let backend: Backend
  const ports: number[] = []
  const certificate = new Certificate()
  let balancer: LoadBalancer
  let tlsBalancer: LoadBalancer
  let settings: Record<string, string>
  let products: Product[] = []
  const verifiers: Record<string, Verifier> = {}

  async function startProducts() {
    products = await Promise.all([1, 2].map(() => Product.spawn(settings)))
    await Promise.all(products.map((product) => product.answers('/health/ready')))
    ports.splice(0, 2, ...products.map(({ url }) => Number(new URL(url).port)))
  }

  async function start() {
    backend = await Backend.withPostgres()
    balancer = await LoadBalancer.start(ports)
    tlsBalancer = await LoadBalancer.start(ports, certificate)
    const issuer = `http://127.0.0.1:${balancer.port}`
    settings = {
      ...backend.settings,
      ...clock.settings,
      APP_URL: issuer,
      ACCESS_TOKEN_ALGORITHM: 'ES256',
      KEY_ROTATION: '1h',
    }
    await startProducts()
    application = await machine()
    const options = { issuer, client: application.clientId, env: clock.settings }
    verifiers.Apache = await apacheVerifier(options, `https://127.0.0.1:${tlsBalancer.port}`)
    verifiers.Nginx = await nginxVerifier(options)
    verifiers.PyJWT = pythonVerifier(options)
    verifiers.jose = typescriptVerifier(options)
    verifiers['strict jose'] = typescriptVerifier({ ...options, isStrict: true })
  }

  async function stop() {
    await Promise.all(Object.values(verifiers).map((verifier) => verifier.remove()))
    await Promise.all(products.map((product) => product.remove()))
    balancer?.remove()
    tlsBalancer?.remove()
    certificate.remove()
    await backend?.remove()
    clock.remove()
  }

  /** If a start fails, everything that has been started is stopped. */
  group.setup(() =>
    start().catch(async (error) => {
      await stop()
      throw error
    })
  )
  group.teardown(stop)

  interface Machine {
    clientId: string
    clientSecret: string
  }

  let application: Machine

  /** Makes an application with an account of its own, so that no browser is needed. */
  async function machine(): Promise<Machine> {
    const run = (args: string[]) => ace(products[0].dataDir, [...args, '--json'], { settings })
    const account = await run(['user:create', '--service', '--username=Robot'])
    const given = ['--name=Robot', '--grants=client_credentials', '--scopes=openid,profile']
    const { id } = account.json()
    const created = await run(['client:create', ...given, `--service-account=${id}`])
    return created.json()
  }

  async function tokenOf({ clientId, clientSecret }: Machine, request: Record<string, string>) {
    const credentials = { client_id: clientId, client_secret: clientSecret }
    const body = { grant_type: 'client_credentials', ...credentials, ...request }
    const options = { method: 'POST', body: new URLSearchParams(body) }
    const response = await fetch(`${products[0].url}/oauth/token`, options)
    const answer: any = await response.json()
    return answer.access_token as string
  }

  /** Returns the verifiers that accept a token. */
  async function takersOf(token: string) {
    const answers = Object.entries(verifiers).map(async ([name, verifier]) => ({
      name,
      answer: await verifier.verify(token),
    }))
    const all = await Promise.all(answers)
    return all.filter(({ answer }) => answer === 'good').map(({ name }) => name)
  }

  test('the examples take an application that they know, with its scope', async ({ assert }) => {
    const resource = 'https://api.example.org'
    const other = await machine()
    const taken = await tokenOf(application, { resource, scope: 'profile' })
    assert.sameMembers(await takersOf(taken), ['PyJWT', 'jose', 'strict jose'])
    const refused = {
      'of the API': await tokenOf(application, { resource: settings.APP_URL }),
      'without the scope': await tokenOf(application, { resource, scope: 'openid' }),
      'of another application': await tokenOf(other, { resource, scope: 'profile' }),
      'for another service': await tokenOf(application, { resource: `${resource}/other` }),
    }
    for (const [what, token] of Object.entries(refused)) {
      assert.equal(decodeHeader(token).typ, 'at+jwt')
      assert.deepEqual(await takersOf(token), [], what)
    }
  })

  /** Returns the refusals of a token by the verifiers and by both processes. */
  async function faultsOf(token: string) {
    const answers = await Promise.all(
      Object.entries(verifiers).map(async ([name, verifier]) => [
        name,
        await verifier.verify(token),
      ])
    )
    const statuses = await Promise.all(
      products.map((product) => patientProfileStatus(product, token))
    )
    return [
      ...answers.filter(([, answer]) => answer !== 'good').map((answer) => answer.join(': ')),
      ...statuses.filter((status) => status !== 200).map((status) => `profile ${status}`),
    ]
  }

  test('the examples of the document refuse a changed token', async ({ assert }) => {
    const [one, other] = [await newcomer(products[0]), await newcomer(products[1])]
    assert.deepEqual(await faultsOf(one.token), [])
    for (const token of [tampered(one.token, other.token), one.refreshToken]) {
      const faults = await faultsOf(token)
      assert.lengthOf(faults, Object.keys(verifiers).length + 2, faults.join('; '))
    }
  })

  test('fifty rotations under load fail no verifier', async ({ assert }) => {
    const users = await Promise.all([0, 1].map((index) => newcomer(products[index])))
    const kids = new Set<string>()
    const faults: string[] = []
    let older: string[] = []

    async function useTokens() {
      const issued = users.map((user, index) => refresh(products[index % 2], user.refreshToken))
      const tokens = await Promise.all(issued)
      for (const token of tokens) kids.add(decodeHeader(token).kid)
      const found = await Promise.all([...tokens, ...older].map(faultsOf))
      faults.push(...found.flat())
      older = tokens
    }

    while (kids.size <= 50 && faults.length === 0) {
      older = []
      clock.move(45 * MINUTE)
      for (let step = 0; step < 8; step++) {
        clock.move(2.5 * MINUTE)
        await useTokens()
      }
    }
    assert.deepEqual(faults, [])
    assert.isAbove(kids.size, 50)
  }).timeout(600_000)

  test('kill -9 between publishing and signing loses no key', async ({ assert }) => {
    const user = await newcomer(products[0])
    const before = await publishedIds(products[0])
    const rotated = await ace(products[0].dataDir, ['keys:rotate', '--json'], { settings })
    const ofAccess = rotated
      .json()
      .filter(({ purpose }: { purpose: string }) => purpose === 'access')
    const upcoming = ofAccess.find(({ state }: { state: string }) => state === 'published')
    await Promise.all(products.map((product) => product.stop('SIGKILL')))
    await startProducts()
    assert.includeMembers(await publishedIds(products[1]), [upcoming.kid, before[0]])
    assert.deepEqual(await faultsOf(user.token), [])
    clock.move(11 * MINUTE)
    const token = await refresh(products[1], user.refreshToken)
    assert.equal(decodeHeader(token).kid, upcoming.kid)
    assert.deepEqual(await faultsOf(token), [])
  })

  test('switching to HS256 and back keeps users logged in', async ({ assert }) => {
    const user = await newcomer(products[0])
    await products[1].stop()
    products[1] = await Product.start({ ...settings, ACCESS_TOKEN_ALGORITHM: 'HS256' })
    const symmetric = await refresh(products[1], user.refreshToken)
    assert.equal(decodeHeader(symmetric).alg, 'HS256')
    for (const token of [user.token, symmetric]) {
      for (const product of products) assert.equal(await patientProfileStatus(product, token), 200)
    }
  })
})

interface GoCase {
  port: string
  issuer: string
  verifier: Verifier
}

test.group('Signing keys | Go', (group) => {
  const cases: Record<string, GoCase> = {}

  /** Compiles the examples and the standard library outside of a test, which may take minutes. */
  group.setup(async () => {
    for (const algorithm of hasGo ? ['ES256', 'EdDSA'] : []) {
      const port = String(await freePort())
      const issuer = `http://127.0.0.1:${port}`
      cases[algorithm] = { port, issuer, verifier: goVerifier({ issuer }) }
    }
  })
  group.teardown(async () => {
    for (const { verifier } of Object.values(cases)) await verifier.remove()
  })

  test('the example verifies {algorithm} and refuses what it must')
    .with([{ algorithm: 'ES256' }, { algorithm: 'EdDSA' }])
    .run(async ({ assert, cleanup }, { algorithm }) => {
      const { port, issuer, verifier } = cases[algorithm]
      const settings = { ACCESS_TOKEN_ALGORITHM: algorithm, PORT: port, APP_URL: issuer }
      const product = await Product.start(settings)
      const [one, other] = [await newcomer(product), await newcomer(product)]
      assert.equal(decodeHeader(one.token).alg, algorithm)
      assert.equal(await verifier.verify(one.token), 'good')
      const [header, claims] = one.token.split('.')
      const stripped = `${header}.${claims}.`
      const bad = [tampered(one.token, other.token), one.refreshToken, stripped, 'x', '..']
      for (const token of bad) assert.equal(await verifier.verify(token), REFUSED)
      await product.stop()
      const brief = { ...settings, ACCESS_TOKEN_TTL: '1s' }
      const successor = await Product.start(brief, product.dataDir)
      cleanup(() => successor.remove())
      const { token } = await signIn(successor, one)
      assert.equal(decodeHeader(token).kid, decodeHeader(one.token).kid)
      await until(() => Number(decodeClaims(token).exp) * 1_000 < Date.now())
      assert.equal(await verifier.verify(token), REFUSED)
      assert.equal(await verifier.verify(one.token), 'good')
    })
    .timeout(180_000)
    .skip(!hasGo, 'Go is not installed')
})

test.group('Signing keys | database file', () => {
  test('nothing private is readable in it', async ({ assert }) => {
    const dataDir = newDataDirFor()
    const APP_KEY = env.get('APP_KEY').join(',')
    const product = await Product.start({ APP_KEY, ACCESS_TOKEN_ALGORITHM: 'ES256' }, dataDir)
    const { token } = await newcomer(product)
    assert.equal(decodeHeader(token).alg, 'ES256')
    const file = join(dataDir, 'gatehouse.sqlite')
    const row: any = new Sqlite(file, { readonly: true })
      .prepare('SELECT * FROM signing_keys')
      .get()
    const pem = decryptPrivateKey({ ...row, encryptedPrivateKey: row.private_key })!
    const { d } = createPrivateKey(pem).export({ format: 'jwk' })
    const scalar = Buffer.from(d!, 'base64url')
    const files = readdirSync(dataDir).filter((name) => name.startsWith('gatehouse.sqlite'))
    const content = Buffer.concat(files.map((name) => readFileSync(join(dataDir, name))))
    for (const form of ['base64', 'base64url', 'hex'] as const) {
      assert.isFalse(content.includes(scalar.toString(form)))
    }
    assert.isFalse(content.includes(scalar))
    assert.isFalse(content.includes('PRIVATE KEY'))
    assert.isTrue(content.includes(row.kid))
    await product.remove()
  })
})
