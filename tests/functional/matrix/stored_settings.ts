import { randomUUID } from 'node:crypto'
import type { Installation } from '../../process/installation.ts'
import type { StoredKind } from './stored_kinds.ts'

const NO_SETTINGS = 'An export has users, and settings belong to an installation'

const SECRET = { SMTP_USERNAME: 'gatehouse', SMTP_PASSWORD: 'hunter2-of-the-mail-server' }

async function patch(at: Installation, body: object) {
  const token = await at.adminToken()
  const headers = { 'if-match': '*' }
  const request = { method: 'PATCH', body, token, headers }
  const { response } = await at.product.request('/settings', request)
  return response.headers.get('etag')
}

/** Setting the same password changes nothing if the stored password is readable. */
const password: StoredKind = {
  kept: 'readable',
  imported: { outcome: 'not set', because: NO_SETTINGS },
  async make(at) {
    await patch(at, SECRET)
    return async (elsewhere) => {
      const settings = await elsewhere.asAdmin('/settings')
      const set = settings.find(({ key }: { key: string }) => key === 'SMTP_PASSWORD')
      if (set.value !== 'set') return 'not set'
      const [before, after] = [await patch(elsewhere, {}), await patch(elsewhere, SECRET)]
      return before === after ? 'readable' : 'unreadable'
    }
  },
}

/** Changing the client id requires the secret again if the stored secret is unreadable. */
const provider: StoredKind = {
  kept: 'readable',
  imported: { outcome: 'no provider', because: NO_SETTINGS },
  async make(at) {
    const name = `p${randomUUID().slice(0, 8)}`
    const body = { name, issuer: `https://${name}.example`, clientId: 'a', clientSecret: 'b' }
    await at.asAdmin('/external-providers', { body })
    return async (elsewhere) => {
      const list = await elsewhere.asAdmin('/external-providers')
      if (!list.some((each: { name: string }) => each.name === name)) return 'no provider'
      const request = { method: 'PUT', body: { clientId: randomUUID() } }
      const changed = await elsewhere.asAdmin(`/external-providers/${name}`, request)
      return changed.source === 'console' ? 'readable' : 'unreadable'
    }
  },
}

export const SETTINGS: Record<string, StoredKind> = {
  'password of the mail server': password,
  'external provider of the console': provider,
}
