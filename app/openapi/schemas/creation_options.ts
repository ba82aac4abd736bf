import { CHALLENGE } from '../example_passkeys.ts'
import { listOf, record, type Schema } from '../schema.ts'
import { count, text, yesNo } from './fields.ts'

const credentialType: Schema = { type: 'string', enum: ['public-key'] }

/** What `navigator.credentials.create` takes (WebAuthn, `PublicKeyCredentialCreationOptionsJSON`). */
export const creationOptions = record({
  rp: record({
    name: { ...text, example: 'Gatehouse' },
    id: { ...text, example: 'auth.example.org' },
  }),
  user: record({
    id: {
      ...text,
      example: CHALLENGE,
      description: 'Random bytes that say nothing about the user.',
    },
    name: { ...text, example: 'ada@example.org' },
    displayName: { ...text, example: 'Ada Lovelace' },
  }),
  challenge: { ...text, example: CHALLENGE },
  pubKeyCredParams: listOf(record({ alg: { type: 'integer', example: -7 }, type: credentialType })),
  timeout: { ...count, example: 300_000, description: 'In milliseconds.' },
  excludeCredentials: listOf(record({ id: text, type: credentialType })),
  authenticatorSelection: record({
    residentKey: { type: 'string', enum: ['required'] },
    requireResidentKey: { ...yesNo, example: true },
    userVerification: { type: 'string', enum: ['required'] },
  }),
  attestation: { type: 'string', enum: ['none'] },
  extensions: record({ credProps: { ...yesNo, example: true } }),
  hints: listOf(text),
})
