import { PASSWORD, someEmail } from '#tests/support/users'
import { signIn } from './backend.ts'
import { Product } from './product.ts'

const ADMIN = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: PASSWORD }

/** A started product whose administrator registers applications and users. */
export class IdentityProduct {
  private constructor(
    readonly product: Product,
    readonly token: string
  ) {}

  static async start(settings: Record<string, string> = {}) {
    const product = await Product.start({ ...ADMIN, ...settings })
    const { token } = await signIn(product, { email: ADMIN.ADMIN_EMAIL })
    return new IdentityProduct(product, token)
  }

  /** The issuer that the product tells applications. */
  get issuer() {
    return this.product.publicUrl
  }

  /** Sends a request as the administrator. The request must succeed. */
  async request(path: string, options: { method?: string; body?: object } = {}) {
    const { status, body } = await this.product.ask(path, { ...options, token: this.token })
    if (status >= 300) throw new Error(`${path} answered ${status} ${JSON.stringify(body)}`)
    return body
  }

  /** Registers an application. */
  register(settings: object): Promise<{ id: string; clientId: string; clientSecret: string }> {
    return this.request('/oauth-clients', { body: { name: 'Grafana', ...settings } })
  }

  /** Makes a new user with a verified address. */
  async newUser(email = someEmail()): Promise<{ id: string; email: string }> {
    const user = await this.request('/users', { body: { email, password: PASSWORD } })
    return this.request(`/users/${user.id}`, { method: 'PUT', body: { emailVerified: true } })
  }

  remove() {
    return this.product.remove()
  }
}
