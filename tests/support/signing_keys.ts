import { createPrivateKey, sign } from 'node:crypto'
import type { Group } from '@japa/runner/core'
import db from '@adonisjs/lucid/services/db'
import oidc from '#config/oidc'
import settings from '#config/signing_keys'
import { decryptPrivateKey } from '#auth/signing_keys/key_pair'
import { readKeys } from '#auth/signing_keys/key_rows'
import { ensureKey } from '#auth/signing_keys/prepare_keys'
import { clearKeyCache, cachedKeys } from '#auth/signing_keys/cached_keys'
import type { TokenAlgorithm } from '#auth/signing_keys/signing_key'

/** Makes each test of the group start without keys, with this algorithm, and without a wait. */
export function signWith(group: Group, algorithm: TokenAlgorithm, { isProvider = true } = {}) {
  group.each.setup(async () => {
    const [before, { isOn }] = [{ ...settings }, oidc]
    Object.assign(settings, { algorithm, reloadPauseMs: 0 })
    oidc.isOn = isProvider
    await resetKeys()
    return async () => {
      Object.assign(settings, before)
      oidc.isOn = isOn
      await resetKeys()
    }
  })
}

/** For the keys of an API that is not a provider. */
export const API_ALONE = { isProvider: false }

/** Returns the id of the key that signs now. Creates the first key if there is none. */
export async function signingKid() {
  const [{ kid }] = await ensureKey('access', await readKeys())
  return kid
}

async function resetKeys() {
  await db.from('signing_keys').delete()
  clearKeyCache()
  await cachedKeys(0)
}

/** Forgets the known keys, to see them as other processes do. */
export function asOtherProcess() {
  clearKeyCache()
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Signs a token by the key of this id, as an attacker with its private part could. */
export async function forge(kid: string, header: object, claims: object) {
  const keys = await readKeys()
  const pem = decryptPrivateKey(keys.find((key) => key.kid === kid)!)!
  const input = `${encode(header)}.${encode(claims)}`
  const key = createPrivateKey(pem)
  const isEdwards = key.asymmetricKeyType === 'ed25519'
  const signature = isEdwards
    ? sign(null, Buffer.from(input), key)
    : sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' })
  return `${input}.${signature.toString('base64url')}`
}
