import sharp from 'sharp'
import { tokenOf } from './stored_credentials.ts'
import { register } from './stored_users.ts'
import { NO_CLIENTS } from './stored_losses.ts'
import { REDIRECT } from '#tests/support/oidc'
import type { Installation } from '../../process/installation.ts'
import type { StoredKind } from './stored_kinds.ts'

/* Pictures of users and applications, as a page loads them. */

function someColour() {
  const create = { width: 8, height: 8, channels: 3 as const, background: '#a03060' }
  return sharp({ create }).png().toBuffer()
}

interface Upload {
  method: 'POST' | 'PUT'
  path: string
  token: string
}

async function upload({ product }: Installation, { method, path, token }: Upload) {
  const body = new FormData()
  body.set('file', new Blob([await someColour()], { type: 'image/png' }), 'picture.png')
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(product.url + path, { method, headers, body })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return (await response.json()) as { avatar?: string; logo?: string }
}

async function shown({ product }: Installation, path: string) {
  const response = await fetch(product.url + path)
  const isPicture = response.headers.get('content-type') === 'image/webp'
  return isPicture ? 'shown' : String(response.status)
}

const avatar: StoredKind = {
  kept: 'shown',
  imported: { outcome: '404', because: 'An export has no pictures: users upload them again' },
  async make(at) {
    const token = await tokenOf(at, await register(at))
    const { avatar: path } = await upload(at, { method: 'POST', path: '/users/avatar', token })
    return (elsewhere) => shown(elsewhere, path!)
  },
}

const logo: StoredKind = {
  kept: 'shown',
  imported: { outcome: '404', because: NO_CLIENTS },
  async make(at) {
    const body = { name: 'Wiki', redirectUris: [REDIRECT] }
    const { id } = await at.asAdmin('/oauth-clients', { body })
    const token = await at.adminToken()
    const path = `/oauth-clients/${id}/logo`
    const { logo: stored } = await upload(at, { method: 'PUT', path, token })
    return (elsewhere) => shown(elsewhere, stored!)
  },
}

export const PICTURES: Record<string, StoredKind> = {
  'picture of a user': avatar,
  'logo of a client': logo,
}
