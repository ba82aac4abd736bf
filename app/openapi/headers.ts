import limits from '#config/limits'
import type { Parameter } from './operation.ts'

/* Headers that operations take and answer with. */

export const versionHeader: Parameter = {
  name: 'X-API-Version',
  in: 'header',
  description: 'Version of the answer. Without it, version 1.',
  schema: { type: 'string', enum: ['1', '2'], default: '1' },
}

export const deviceIdHeader: Parameter = {
  name: 'x-device-id',
  in: 'header',
  description:
    'Names the device, such as `laptop`: its next login replaces its session. Without it, `default`.',
  schema: { type: 'string', minLength: 1, maxLength: limits.deviceId, pattern: '^[\\x20-\\x7e]*$' },
}

export const deviceTokenHeader: Parameter = {
  name: 'x-device-token',
  in: 'header',
  description:
    '`X-Device-Token` of the last login of this account with this `x-device-id`: failed logins of others do not lock out the device.',
  schema: { type: 'string' },
}

/** Every sign-in accepts these headers. */
export const deviceHeaders = [deviceIdHeader, deviceTokenHeader]
export const deviceTokenAnswer = {
  'X-Device-Token':
    'In answer to a request with `x-device-id`; the next login sends it as `x-device-token`. Valid for 180 days, unless the password changes or the device is withdrawn earlier. With `AUTH_COOKIES=on` it is a cookie.',
}

export const sessionIdHeader: Parameter = {
  name: 'x-session-id',
  in: 'header',
  description: 'The one session to end, as listed by `GET /auth/sessions`.',
  schema: { type: 'string', format: 'uuid' },
}
