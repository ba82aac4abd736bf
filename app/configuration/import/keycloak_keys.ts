import { X509Certificate } from 'node:crypto'
import { asObject, isOn, type ClientDraft, type JsonObject } from './imported.ts'

/** Sets the keys of a client that authenticates with its key. */
export function setKeys(draft: ClientDraft, attributes: JsonObject) {
  draft.set({ tokenEndpointAuthMethod: 'private_key_jwt' })
  const [url, certificate] = [attributes['jwks.url'], attributes['jwt.credential.certificate']]
  if (isOn(attributes['use.jwks.url']) && url) return draft.set({ jwksUri: url })
  const keys = keysOf(attributes['jwks.string']) ?? keyOfCertificate(certificate)
  if (keys) draft.set({ jwks: { keys } })
  else draft.leaveOut('its public key is not in the export')
}

function keysOf(text: unknown) {
  try {
    const { keys } = asObject(JSON.parse(String(text)))
    return Array.isArray(keys) ? keys : null
  } catch {
    return null
  }
}

/** @param base64 DER without the lines of PEM */
function keyOfCertificate(base64: unknown) {
  if (typeof base64 !== 'string') return null
  try {
    const { publicKey } = new X509Certificate(Buffer.from(base64, 'base64'))
    return [publicKey.export({ format: 'jwk' })]
  } catch {
    return null
  }
}
