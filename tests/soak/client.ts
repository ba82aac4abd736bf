import { randomInt } from 'node:crypto'
import { PASSWORD, someEmail } from '#tests/users'
import type { Product } from '#tests/process/product'
import { AccountLedger, type Ledger, type Session } from './acknowledged.ts'

type Options = Parameters<Product['request']>[1]

/** Does at random what people do, to whichever process it meets, and writes down what it was told. */
export class SoakClient {
  #products: Product[]
  #ledger: Ledger
  #own: AccountLedger[] = []
  #serial = 0

  constructor(products: Product[], ledger: Ledger) {
    this.#products = products
    this.#ledger = ledger
  }

  async step() {
    const account = this.#own.at(randomInt(Math.max(1, this.#own.length)))
    if (!account || randomInt(10) === 0) return this.#register()
    const session = account.live[randomInt(Math.max(1, account.live.length))]
    if (!session || randomInt(4) === 0) return this.#login(account)
    const steps = [this.#rename, this.#repassword, this.#logout, this.#logoutAll, this.#revoke]
    return steps[randomInt(steps.length)].call(this, account, session)
  }

  async #send(path: string, options: Options) {
    const product = this.#products[randomInt(this.#products.length)]
    const answer = await product.request(path, options).catch(() => null)
    const status = answer?.status ?? null
    this.#ledger.statuses.set(status, (this.#ledger.statuses.get(status) ?? 0) + 1)
    if (status === 500) this.#ledger.broken.push(answer!.body.requestId)
    return { status, body: answer?.body }
  }

  async #register() {
    const account = { email: someEmail(), username: 'ada', password: PASSWORD }
    const { status } = await this.#send('/auth/register', { body: account })
    if (status !== 201) return
    const entry = new AccountLedger(account.email, account.password, account.username)
    this.#own.push(entry)
    this.#ledger.accounts.push(entry)
  }

  async #login(account: AccountLedger) {
    const body = { email: account.email, password: account.passwords[0] }
    if (account.passwords.length > 1) return
    const { status, body: tokens } = await this.#send('/auth/login', { body })
    if (status !== 200) return
    account.live.push({ token: tokens.accessToken, refreshToken: tokens.refreshToken })
  }

  async #rename(account: AccountLedger, { token }: Session) {
    const username = `name-${++this.#serial}`
    const body = { username }
    const { status } = await this.#send('/auth/profile', { method: 'PUT', token, body })
    account.settle('usernames', username, status)
  }

  /** Ends every other session. */
  async #repassword(account: AccountLedger, session: Session) {
    if (account.passwords.length > 1) return
    const newPassword = `${PASSWORD}${++this.#serial}`
    const body = { currentPassword: account.passwords[0], newPassword }
    const { token } = session
    const { status } = await this.#send('/auth/change-password', { token, body })
    account.settle('passwords', newPassword, status)
    const others = account.live.filter((each) => each !== session)
    if (status === 200) account.end(others)
    else account.forget(others)
  }

  async #logout(account: AccountLedger, session: Session) {
    const [sessionId] = claimsOf(session.token).jti.split('.')
    const headers = { 'x-session-id': sessionId }
    const options = { method: 'POST', token: session.token, headers }
    const { status } = await this.#send('/auth/logout', options)
    if (status === 200) account.end([session])
    else account.forget([session])
  }

  async #logoutAll(account: AccountLedger, { token }: Session) {
    const { status } = await this.#send('/auth/logout-all', { method: 'POST', token })
    if (status === 200) account.end(account.live)
    else account.forget(account.live)
  }

  async #revoke(account: AccountLedger, session: Session) {
    const { status } = await this.#send('/auth/revoke', { method: 'POST', token: session.token })
    if (status === 200) account.revoked.push(session.token)
    account.forget([session])
  }
}

function claimsOf(token: string): { jti: string } {
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
}
