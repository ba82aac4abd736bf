import type { PasskeyRecord } from '#auth/passkeys/passkey_record'
import { record } from '../schema.ts'
import { instant, instantOrNull, text, textOrNull, uuid, yesNo } from './fields.ts'

export const passkey = record<PasskeyRecord>({
  id: { ...uuid, example: '01a1fd70-f1c0-7d10-8a4e-5b7c93f2d016' },
  credentialId: {
    ...text,
    example: 'mXK0b7yq8QjT1vR2sWc3Zd',
    description: 'As authenticators know it.',
  },
  name: { ...text, example: 'My phone' },
  holder: {
    ...textOrNull,
    example: 'Apple Passwords',
    description: 'What holds it, where that is known.',
  },
  aaguid: { ...text, example: 'fbfc3007-154e-4ecc-8c0b-6e020557d7bd' },
  transports: { type: 'array', items: text, example: ['hybrid', 'internal'] },
  synced: { ...yesNo, example: true, description: 'Whether it may be copied to other devices.' },
  backedUp: { ...yesNo, example: true, description: 'Whether it has been copied.' },
  createdAt: instant,
  lastUsedAt: instantOrNull,
})
