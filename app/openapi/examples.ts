/*
 | One example for each name of a field, so that all examples are about one user. The API can
 | produce each value.
 */

/** UUIDs v7 of the time `AT`. */
export const USER_ID = '01a1fd70-f1c0-7c4b-9d3e-2f8a51c7e604'
export const EVENT_ID = '01a1fd70-f1c0-7a1f-8b62-c07d94e5f318'

/** A UUID v4. */
export const SESSION_ID = '5f0c8f43-1f0e-4b0a-9a55-6a1f9b7c2d10'
export const PASSWORD = 'Correct-h0rse!'
export const ONE_TIME_TOKEN = 'q3mZ0v1yB7x0c2X8dYH1r0Wq9w6sT4uJkE5nGf2LhPs'
export const MFA_TOKEN = 'Hk3yWmVQ0cXk9u2sJb7nLhPz5aDf8eGi1oKq4tRw6xY'
export const RESET_TOKEN = 'rT3yWmVQ0cXk9u2sJb7nLhPz5aDf8eGi1oKq4tRw6xY'
export const EXTERNAL_CODE = 'mB8dQz4vXn1rKc7wTy0uGs3hJp6fLe9aWo2iVt5xRbE'
/** The example of RFC 7636, appendix B. */
export const CODE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

export const API_KEY = 'gh_4fJ0aZr7QwT1xY9c_8sLq0VdXn2mKc7RwTy1uGs3hJp6fLe9aWo5iVt4xRbE_0vsHE3'
export const AT = '2026-11-21T09:30:00.000Z'

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

function exampleToken(typ: string, claims: object, lifetimeSeconds: number) {
  const iat = Date.parse(AT) / 1_000
  const header = { alg: 'HS256', typ, kid: 'Xr2vN8qc' }
  const subject = { sub: USER_ID, email: 'ada@example.org', role: 'User' }
  const issuer = 'gatehouse'
  const times = { iat, exp: iat + lifetimeSeconds }
  const payload = { ...subject, ...claims, ...times, aud: issuer, iss: issuer }
  const signature = 'o3Kx9cT0vJ6mQd2WnY8rLb5sHz1fGe7uAiPk4XtMqCE'
  return `${encode(header)}.${encode(payload)}.${signature}`
}

const TOKEN_ID = '3c9d1f72-5b8e-4a60-8f14-d2e7a6c0b953'

export const ACCESS_TOKEN = exampleToken('at+jwt', { jti: `${SESSION_ID}.${TOKEN_ID}` }, 900)
const REFRESH_TOKEN = exampleToken('rt+jwt', { sessionId: SESSION_ID, jti: TOKEN_ID }, 7 * 86_400)

export const EXAMPLES: Record<string, unknown> = {
  email: 'ada@example.org',
  username: 'Ada Lovelace',
  nickname: 'Countess',
  password: PASSWORD,
  currentPassword: PASSWORD,
  newPassword: 'Better-h0rse!',
  role: 'User',
  accessToken: ACCESS_TOKEN,
  refreshToken: REFRESH_TOKEN,
  token: ONE_TIME_TOKEN,
  mfaToken: MFA_TOKEN,
  resetToken: RESET_TOKEN,
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  expiresAt: '2026-11-28T09:30:00.000Z',
  code: '492039',
  expiresIn: 900,
  tokenType: 'Bearer',
  provider: null,
  providerId: null,
  avatar: null,
  lockedUntil: null,
  deviceId: 'laptop',
  deviceName: 'Chrome on Linux',
  ip: '192.0.2.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0',
  current: true,
  emailVerified: true,
  mfaEnabled: false,
  disabled: false,
  id: USER_ID,
  userId: USER_ID,
  sessionId: SESSION_ID,
  latencyMs: 0.4,
  requestId: 'q1ZpY3Vt-2k',
  page: 1,
  limit: 10,
  total: 1,
}

export const BY_FORMAT: Record<string, unknown> = {
  'date-time': AT,
  'uuid': USER_ID,
  'email': 'ada@example.org',
  'uri': 'https://auth.example.org/',
}
