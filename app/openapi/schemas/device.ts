import type { DeviceRecord } from '#auth/devices/list_devices'
import { record } from '../schema.ts'
import { instant, text, uuid } from './fields.ts'

export const device = record<DeviceRecord>({
  id: { ...uuid, example: '7d0f5a36-2f4e-4c1d-9a57-6b0f3f1c8e21' },
  deviceName: text,
  ip: text,
  firstSeenAt: instant,
  lastSignInAt: instant,
  expiresAt: instant,
})
