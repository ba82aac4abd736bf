import { createPrivateKey, sign } from 'node:crypto'
import type { Group } from '@japa/runner/core'
import db from '@adonisjs/lucid/services/db'
import oidc from '#config/oidc'
import settings from '#config/signing_keys'
import { decryptPrivateKey } from '#auth/signing_keys/key_pair'
import { readKeys } from '#auth/signing_keys/key_rows'
import { ensureKey } from '#auth/signing_keys/prepare_keys'
import { forgetKnownKeys, knownKeys } from '#auth/signing_keys/known_keys'
import type { TokenAlgorithm } from '#auth/signing_keys/signing_key'

/** Each test of the group starts without keys, with this algorithm, and waits for no key. */
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

/** The keys of the API alone, which is on its own. */
export const API_ALONE = { isProvider: false }

/** The id of the key that signs at this moment, the first one if there is none. */
export async function signingKid() {
  const [{ kid }] = await ensureKey('access', await readKeys())
  return kid
}

async function resetKeys() {
  await db.from('signing_keys').delete()
  forgetKnownKeys()
  await knownKeys(0)
}

/** As other processes see the keys by now. */
export function asOtherProcess() {
  forgetKnownKeys()
}

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** A token that the key of this id has signed, as one who holds its private part could make it. */
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
