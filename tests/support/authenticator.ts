import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/*
 | An authenticator in software, and its browser. It has one passkey, whose responses are right
 | unless a test forges a part of them.
 */

export const RP_ID = 'gatehouse.test'
export const ORIGIN = 'http://gatehouse.test'

const UP = 0x01
const UV = 0x04
const BE = 0x08
const BS = 0x10
const AT = 0x40

/** Values that a test uses in place of the right ones. Signed values are forged before signing. */
export interface Forgery {
  clientData?: object
  rpId?: string
  /** Bits that are inverted. */
  flags?: number
  counter?: number
  /** A key that signs in place of the passkey's key. */
  signer?: KeyObject
  /** The statement of an attestation. */
  statement?: { fmt: string; attStmt: Map<string, unknown> }
  key?: Map<number, unknown>
  credentialId?: Buffer
  /** Members of the JSON, after the signature. */
  outer?: object
  inner?: object
}

interface Options {
  challenge: string
  user?: { id: string }
}

export interface SavedPasskey {
  id: string
  userHandle: string
  counter: number
  privateKey: string
}

interface Kind {
  isSynced?: boolean
  aaguid?: string
  saved?: SavedPasskey
}

const NO_MODEL = '00000000-0000-0000-0000-000000000000'

function keysOf(pem: string) {
  const privateKey = createPrivateKey(pem)
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

export class Authenticator {
  readonly credentialId: Buffer
  readonly id: string
  userHandle = ''
  counter = 0
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject }
  readonly #isSynced: boolean
  readonly #aaguid: string

  constructor({ isSynced = false, aaguid = NO_MODEL, saved }: Kind = {}) {
    this.#isSynced = isSynced
    this.#aaguid = aaguid
    this.credentialId = saved ? Buffer.from(saved.id, 'base64url') : randomBytes(24)
    this.id = this.credentialId.toString('base64url')
    this.#keys = saved
      ? keysOf(saved.privateKey)
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
    Object.assign(this, saved && { userHandle: saved.userHandle, counter: saved.counter })
  }

  /** The data from which another run makes the same authenticator. */
  get saved(): SavedPasskey {
    const { id, userHandle, counter } = this
    const pem = this.#keys.privateKey.export({ type: 'pkcs8', format: 'pem' })
    return { id, userHandle, counter, privateKey: String(pem) }
  }

  /** The public key in COSE (RFC 9052): EC2, ES256, P-256. */
  get publicKey() {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    const bytes = (text?: string) => new Uint8Array(Buffer.from(text!, 'base64url'))
    return new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ])
  }

  /** Returns the response to `navigator.credentials.create`. */
  create({ challenge, user }: Options, forged: Forgery = {}) {
    this.userHandle = user?.id ?? this.userHandle
    const { fmt, attStmt } = forged.statement ?? { fmt: 'none', attStmt: new Map() }
    const authData = new Uint8Array(
      Buffer.concat([this.#authenticatorData(AT, forged), this.#credentialData(forged)])
    )
    const attestation = new Map<string, unknown>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', authData],
    ])
    const response = {
      clientDataJSON: clientData('webauthn.create', challenge, forged).toString('base64url'),
      attestationObject: Buffer.from(isoCBOR.encode(attestation as any)).toString('base64url'),
      transports: ['internal', 'hybrid'],
    }
    return this.#credential(response, forged)
  }

  /** Returns the response to `navigator.credentials.get`. */
  get({ challenge }: Options, forged: Forgery = {}) {
    this.counter += this.#isSynced ? 0 : 1
    const data = clientData('webauthn.get', challenge, forged)
    const authenticatorData = this.#authenticatorData(0, forged)
    const signed = Buffer.concat([authenticatorData, sha256(data)])
    const signature = sign('sha256', signed, forged.signer ?? this.#keys.privateKey)
    const response = {
      clientDataJSON: data.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: this.userHandle,
    }
    return this.#credential(response, forged)
  }

  #credential<Response>(response: Response, { outer, inner }: Forgery) {
    const { id } = this
    const whole = { id, rawId: id, type: 'public-key', ...outer }
    return { ...whole, response: { ...response, ...inner } }
  }

  #authenticatorData(kind: number, { rpId = RP_ID, flags = 0, counter = this.counter }: Forgery) {
    const data = Buffer.alloc(37)
    sha256(rpId).copy(data)
    data[32] = (UP | UV | kind | (this.#isSynced ? BE | BS : 0)) ^ flags
    data.writeUInt32BE(counter, 33)
    return data
  }

  #credentialData({ credentialId = this.credentialId, key = this.publicKey }: Forgery) {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(credentialId.length)
    const aaguid = Buffer.from(this.#aaguid.replaceAll('-', ''), 'hex')
    return Buffer.concat([aaguid, length, credentialId, isoCBOR.encode(key as any)])
  }
}

function clientData(type: string, challenge: string, { clientData: given }: Forgery) {
  const whole = { type, challenge, origin: ORIGIN, crossOrigin: false, ...given }
  return Buffer.from(JSON.stringify(whole))
}
