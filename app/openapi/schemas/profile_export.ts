import { record, listOf, ref } from '../schema.ts'
import { details } from './audit_event.ts'
import { ownGroup } from './group.ts'
import { instant, instantOrNull, text, textOrNull } from './fields.ts'

const activity = record({
  occurredAt: instant,
  action: { ...text, example: 'login.succeeded' },
  outcome: { ...text, example: 'success' },
  ip: textOrNull,
  userAgent: textOrNull,
  details,
})

export const profileExport = record({
  exportedAt: instant,
  account: ref('User'),
  locale: textOrNull,
  groups: listOf(ownGroup),
  picture: {
    ...record({ type: { ...text, example: 'image/webp' }, base64: { ...text, format: 'byte' } }),
    nullable: true,
  },
  sessions: listOf(ref('Session')),
  identities: listOf(ref('Identity')),
  passkeys: listOf(ref('Passkey')),
  apiKeys: listOf(ref('ApiKey')),
  knownDevices: listOf(
    record({
      fingerprint: {
        ...text,
        description: 'A hash of the device id, or of the browser, system and network.',
        example: 'pZ0fXo3m7T1uVnqk2gE9yB5dHc8sJw4LrAaQi6KtCxM',
      },
      deviceName: textOrNull,
      ip: textOrNull,
      firstSeenAt: instant,
      lastSignInAt: instantOrNull,
    })
  ),
  applications: listOf(
    record({
      clientId: { ...text, example: '5f0c2a9d41be7730c8e1d6f2' },
      name: { ...text, example: 'Grafana' },
      scopes: listOf(text),
      resources: listOf(text),
      consentedAt: instantOrNull,
    })
  ),
  mails: listOf(
    record({
      kind: { ...text, example: 'password_changed' },
      recipient: { ...text, example: 'ada@example.org' },
      status: { ...text, example: 'sent' },
      createdAt: instant,
      sentAt: instantOrNull,
    })
  ),
  activity: listOf(activity),
})
