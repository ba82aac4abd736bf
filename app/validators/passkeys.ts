import vine from '@vinejs/vine'
import { displayName } from './rules.ts'

/* Checks the shape only: the verification refuses everything else by one error. */

/** WebAuthn names six transports (level 3, section 5.8.4); the limit leaves room for later ones. */
const MAX_TRANSPORTS = 16

const base64url = () => vine.string().minLength(1)

const credential = { id: base64url(), rawId: base64url(), type: vine.string() }

const attestation = () =>
  vine.object({
    ...credential,
    response: vine.object({
      clientDataJSON: base64url(),
      attestationObject: base64url(),
      transports: vine.array(vine.string()).maxLength(MAX_TRANSPORTS).optional(),
    }),
  })

export const assertion = () =>
  vine.object({
    ...credential,
    response: vine.object({
      clientDataJSON: base64url(),
      authenticatorData: base64url(),
      signature: base64url(),
      userHandle: vine.string().nullable().optional(),
    }),
  })

export const registrationValidator = vine.create({
  response: attestation(),
  name: displayName().optional(),
})

export const passkeyLoginValidator = vine.create({ response: assertion() })

export const passkeyNameValidator = vine.create({ name: displayName() })

/** The script of the page writes the response as JSON, whose size `passkeyOfForm` limits. */
const written = () => vine.string()

export const passkeyFormValidator = vine.create({ response: written() })

export const newPasskeyFormValidator = vine.create({
  response: written(),
  name: displayName().nullable().optional(),
})
