import { PASSWORD, someEmail } from '#tests/support/users'
import { proxy } from '#tests/support/oidc'
import { TRAFFIC } from '#tests/process/openid_traffic'
import { findAccess, OPERATIONS, type Scene } from './grant_operations.ts'
import { SIGN_INS } from './sign_in.ts'
import { operation } from './wire.ts'
import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client'
import type { ApplicationUser, Grant } from './applications.ts'

type Tokens = TokenEndpointResponse & TokenEndpointResponseHelpers

/** The number of users of a client, so that a run of hours is checked in minutes. */
const USERS = 5

/** A sign-in starts two sessions, and the fifty-first of a user ends the oldest. */
const SIGN_INS_OF_USER = 20

const NAMES = Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]

/** Runs operations of applications and their users, one after the other. */
export class ApplicationClient {
  #users: ApplicationUser[] = []
  #live: Grant[] = []

  constructor(readonly scene: Scene) {}

  async step() {
    const { random } = this.scene
    const choice = random.below(6)
    if (choice === 0) return this.#perform('routine', () => this.#routine())
    if (choice === 1) return this.#perform('ended', () => this.#askEnded())
    if (choice === 2 || this.#live.length === 0)
      return this.#perform('signIn', () => this.#signIn())
    const grant = random.pick(this.#live)
    const name = random.pick(NAMES)
    const outcome = await this.#perform(name, () => OPERATIONS[name](this.scene, grant))
    if (outcome === 'ended') this.scene.record.ended.push({ ...grant, endedBy: name })
    if (outcome) this.#live = this.#live.filter((each) => each !== grant)
  }

  /** Runs an operation. It is a violation if it fails although each of its requests was served. */
  async #perform<T>(name: string, perform: () => Promise<T>) {
    const { served, violations } = this.scene.record
    const state = { isDisturbed: false }
    try {
      const result = await operation.run(state, perform)
      if (state.isDisturbed) return 'unknown'
      served[name] = (served[name] ?? 0) + 1
      return result
    } catch (error) {
      if (!state.isDisturbed) violations.push(`${name}: ${explain(error)}`)
      return 'unknown'
    }
  }

  async #routine() {
    const { wire, random, applications } = this.scene
    const kind = random.pick(Object.keys(TRAFFIC))
    const { request, status: expected } = TRAFFIC[kind]
    const { path, ...options } = request(applications.access)
    const { status } = await wire.fetch(proxy.next() + path, options)
    if (status !== expected && status !== 503) throw new Error(`${kind} answers ${status}`)
  }

  async #askEnded() {
    const { random, record } = this.scene
    const isEnded = random.below(3) > 0
    const grants = isEnded ? record.ended : record.revoked
    if (grants.length > 0)
      record.violations.push(...(await findAccess(random.pick(grants), isEnded)))
  }

  async #signIn() {
    const { random, applications, record } = this.scene
    this.#users = this.#users.filter(({ signIns }) => signIns < SIGN_INS_OF_USER)
    const user = this.#users.length < USERS ? await this.#register() : random.pick(this.#users)
    if (!user) return
    user.signIns++
    const app = random.pick([applications.confidential, applications.public])
    const { browser, redeem } = await random.pick(SIGN_INS)(app, user)
    const answers = random.below(2) === 0 ? await atOnce(redeem) : await inTurn(redeem)
    const good = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    if (good.length > 1) record.violations.push('a code was redeemed twice')
    if (good.length === 0) throw (answers[0] as PromiseRejectedResult).reason
    this.#live.push(grantOf(good[0], { app, user, browser }))
  }

  async #register() {
    const { wire, random } = this.scene
    const given = { email: someEmail(), username: 'ada', password: PASSWORD }
    const { body: record } = await wire.request(random, '/auth/register', { body: given })
    const { body: tokens } = await wire.request(random, '/auth/login', { body: given })
    if (!record?.id || !tokens?.accessToken) return null
    const user = { id: record.id, email: given.email, token: tokens.accessToken, signIns: 0 }
    this.#users.push(user)
    return user
  }
}

function grantOf(tokens: Tokens, holder: Pick<Grant, 'app' | 'user' | 'browser'>): Grant {
  return {
    ...holder,
    sessionId: tokens.claims()!.sid as string,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token!,
    idToken: tokens.id_token!,
    replaced: [],
  }
}

function atOnce<T>(redeem: () => Promise<T>) {
  return Promise.allSettled([redeem(), redeem()])
}

async function inTurn<T>(redeem: () => Promise<T>) {
  const [first] = await Promise.allSettled([redeem()])
  const [second] = await Promise.allSettled([redeem()])
  return [first, second]
}

function explain(error: unknown) {
  const { message, stack, error: code, cause } = error as any
  const details = code ?? cause?.[0]?.parameters?.error ?? cause?.message ?? ''
  return `${String(message).slice(0, 600)} ${details} ${String(stack).split('\n').slice(1, 6).join(' | ')}`
}
