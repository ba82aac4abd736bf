import { PASSWORD, someEmail } from '#tests/support/users'
import { AcknowledgedUser, type Session } from './acknowledged.ts'
import type { JsonRequest } from '#tests/process/product'
import type { Random } from './random.ts'
import type { Wire } from './wire.ts'

/** The number of users of a client at a time, so that a run of hours is checked in minutes. */
const USERS = 25

/** Sends random requests to random processes, and notes the acknowledged writes. */
export class SoakClient {
  /** All users of the client, including deleted ones. */
  readonly users: AcknowledgedUser[] = []
  #serial = 0

  constructor(
    readonly random: Random,
    readonly wire: Wire
  ) {}

  async step() {
    const { random } = this
    const isUsable = ({ deletion, passwords }: AcknowledgedUser) =>
      deletion === 'none' && passwords.length === 1
    const present = this.users.filter(isUsable)
    const isFull = present.length >= USERS
    if (present.length === 0 || (!isFull && random.below(10) === 0)) return this.#register()
    const user = random.pick(present)
    if (user.live.length === 0 || random.below(4) === 0) return this.#login(user)
    const session = random.pick(user.live)
    if (random.below(20) === 0) return this.#delete(user, session)
    const steps = [this.#rename, this.#changePassword, this.#logout, this.#logoutAll, this.#revoke]
    return random.pick(steps).call(this, user, session)
  }

  #send(path: string, options: JsonRequest) {
    return this.wire.request(this.random, path, options)
  }

  async #register() {
    const user = { email: someEmail(), username: 'ada', password: PASSWORD }
    const { status, body } = await this.#send('/auth/register', { body: user })
    if (status !== 201) return
    const entry = new AcknowledgedUser(body.id, user.email, user.password, user.username)
    entry.expectEvent('account.registered')
    this.users.push(entry)
  }

  async #login(user: AcknowledgedUser) {
    const body = { email: user.email, password: user.passwords[0] }
    if (user.passwords.length > 1) return
    const { status, body: tokens } = await this.#send('/auth/login', { body })
    if (status !== 200) return
    user.expectEvent('login.succeeded')
    user.live.push({ token: tokens.accessToken, refreshToken: tokens.refreshToken })
  }

  async #rename(user: AcknowledgedUser, { token }: Session) {
    const username = `name-${++this.#serial}`
    const body = { username }
    const { status } = await this.#send('/auth/profile', { method: 'PUT', token, body })
    user.resolve('usernames', username, status)
    if (status === 200) user.expectEvent('account.updated')
  }

  /** Changes the password, which ends every other session. */
  async #changePassword(user: AcknowledgedUser, session: Session) {
    if (user.passwords.length > 1) return
    const newPassword = `${PASSWORD}${++this.#serial}`
    const body = { currentPassword: user.passwords[0], newPassword }
    const { token } = session
    const { status } = await this.#send('/auth/change-password', { token, body })
    user.resolve('passwords', newPassword, status)
    if (status === 200) user.expectEvent('password.changed')
    const others = user.live.filter((each) => each !== session)
    if (status === 200) user.end(others)
    else user.forget(others)
  }

  async #logout(user: AcknowledgedUser, session: Session) {
    const [sessionId] = claimsOf(session.token).jti.split('.')
    const headers = { 'x-session-id': sessionId }
    const options = { method: 'POST', token: session.token, headers }
    const { status } = await this.#send('/auth/logout', options)
    if (status === 200) user.end([session])
    else user.forget([session])
  }

  async #logoutAll(user: AcknowledgedUser, { token }: Session) {
    const { status } = await this.#send('/auth/logout-all', { method: 'POST', token })
    if (status === 200) user.end(user.live)
    else user.forget(user.live)
  }

  async #delete(user: AcknowledgedUser, { token }: Session) {
    if (user.passwords.length > 1) return
    const body = { currentPassword: user.passwords[0] }
    const { status } = await this.#send('/auth/account', { method: 'DELETE', token, body })
    if (status === 200) {
      user.deletion = 'acknowledged'
      user.expectEvent('account.deleted')
    } else if (status === null || status === 503) user.deletion = 'open'
  }

  async #revoke(user: AcknowledgedUser, session: Session) {
    const { status } = await this.#send('/auth/revoke', { method: 'POST', token: session.token })
    if (status === 200) user.revoked.push(session.token)
    user.forget([session])
  }
}

function claimsOf(token: string): { jti: string } {
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
}
