import { join } from 'node:path'
import { someEmail } from '#tests/support/users'
import { mailFilesOf } from '#tests/support/mail'
import { authorizationRequest, Browser, configure } from '#tests/support/oidc'
import { until } from '#tests/support/waiting'
import { SIGN_IN } from '../../process/application.ts'
import { at as through, registerClient } from './stored_clients.ts'
import { tokenOf } from './stored_credentials.ts'
import { register } from './stored_users.ts'
import type { Installation } from '../../process/installation.ts'
import type { StoredKind } from './stored_kinds.ts'

/* Mailed links, proved by the page that they open. Opening the page does not use up the link. */

async function mailedLink({ dataDir }: Installation, recipient: string, kind: string) {
  const mail = await until(async () => {
    const mails = await mailFilesOf(recipient, join(dataDir, 'outbox'))
    return mails.find((each) => each.kind === kind)
  })
  return mail.token
}

async function opens({ product }: Installation, path: string, token: string) {
  const page = await fetch(`${product.url}${path}?token=${token}`)
  return page.status === 200 ? 'good' : `refused ${page.status}`
}

interface Link {
  path: string
  kind: string
  /** Has the link mailed. @returns the recipient */
  ask: (at: Installation) => Promise<string>
}

function link({ path, kind, ask }: Link): StoredKind {
  const because = 'Links are mailed anew: an export would open accounts'
  return {
    kept: 'good',
    imported: { outcome: 'refused 404', because },
    restored: { outcome: 'refused 404', because },
    async make(at) {
      const token = await mailedLink(at, await ask(at), kind)
      return (elsewhere) => opens(elsewhere, path, token)
    },
  }
}

const reset = link({
  path: '/reset-password',
  kind: 'password_reset',
  async ask(at) {
    const { email } = await register(at)
    await at.product.request('/auth/forgot-password', { body: { email } })
    return email
  },
})

const invitation = link({
  path: '/accept-invitation',
  kind: 'invitation',
  async ask(at) {
    const email = someEmail()
    await at.asAdmin('/users', { body: { email, invite: true } })
    return email
  },
})

/** Requests another address. @returns the previous address and the new one */
async function askForAddress(at: Installation) {
  const { id, ...user } = await register(at)
  await at.asAdmin(`/users/${id}`, { method: 'PUT', body: { emailVerified: true } })
  const [email, token] = [someEmail(), await tokenOf(at, user)]
  const body = { email, currentPassword: user.password }
  await at.product.request('/auth/profile', { method: 'PUT', body, token })
  return [user.email, email]
}

const undo = link({
  path: '/undo-email-change',
  kind: 'email_change_requested',
  async ask(at) {
    const [previous] = await askForAddress(at)
    return previous
  },
})

const confirmation = link({
  path: '/verify-email',
  kind: 'email_change',
  async ask(at) {
    const [, email] = await askForAddress(at)
    return email
  },
})

/** A sign-in to an application waits for the code of an address. */
const addressCode = link({
  path: '/confirm-address',
  kind: 'address_code',
  async ask(at) {
    const user = await register(at)
    const { clientId, clientSecret } = await registerClient(at, {
      kind: 'first_party',
      requireVerifiedEmail: true,
    })
    await through(at, async () => {
      const config = await configure(clientId, clientSecret)
      const { url } = await authorizationRequest({ config }, { scope: 'openid email' })
      const browser = new Browser()
      const { email, password } = user
      await browser.submit(await browser.open(url), SIGN_IN, { email, password })
    })
    return user.email
  },
})

export const LINKS: Record<string, StoredKind> = {
  'link that resets a password': reset,
  'invitation': invitation,
  'link that undoes a change of address': undo,
  'link that confirms a new address': confirmation,
  'code of an address that an application waits for': addressCode,
}
