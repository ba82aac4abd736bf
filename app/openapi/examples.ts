import type { Schema } from './schema.ts'

/*
 | One example for each name of a field, whichever operation carries it: the documents of
 | requests and answers tell one story of one user.
 */

export const USER_ID = '01930f3c-6f0a-7c4b-9d3e-2f8a51c7e604'
export const SESSION_ID = '5f0c8f43-1f0e-4b0a-9a55-6a1f9b7c2d10'
export const PASSWORD = 'Correct-h0rse!'
export const AT = '2026-11-21T09:30:00.000Z'

const token = (kind: string) =>
  `eyJhbGciOiJIUzI1NiIsInR5cCI6Ijo${kind}.eyJzdWIiOiIwMTkzMGYzYyJ9.c2ln`

const EXAMPLES: Record<string, unknown> = {
  email: 'ada@example.org',
  username: 'Ada Lovelace',
  nickname: 'Countess',
  password: PASSWORD,
  currentPassword: PASSWORD,
  newPassword: 'Better-h0rse!',
  role: 'User',
  accessToken: token('hdCtqd3Q'),
  refreshToken: token('ydCtqd3Q'),
  token: 'q3mZ0v1yB7x0c2X8dYH1r0Wq9w6sT4uJ',
  mfaToken: 'Zr8vWbq1T3nX0c5Yk2Lm7Pd9Ss4Uj6Ha',
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

const BY_FORMAT: Record<string, unknown> = {
  'date-time': AT,
  'uuid': USER_ID,
  'email': 'ada@example.org',
  'uri': 'https://auth.example.org/',
}

type Components = Record<string, Schema>

/** An example of a schema, put together from the examples of its fields. */
export function exampleOf(schema: Schema, components: Components, name = ''): unknown {
  if (schema.$ref) return exampleOf(components[schema.$ref.split('/').at(-1)!], components, name)
  if (schema.example !== undefined) return schema.example
  if (schema.properties) return exampleOfObject(schema.properties, components)
  if (schema.type === 'array') return [exampleOf(schema.items ?? {}, components, name)]
  if (schema.enum) return schema.enum[0]
  if (name in EXAMPLES) return EXAMPLES[name]
  return exampleOfType(schema)
}

function exampleOfObject(properties: Record<string, Schema>, components: Components) {
  const entries = Object.entries(properties)
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, exampleOf(schema, components, name)])
  )
}

function exampleOfType({ type, format, nullable, minimum }: Schema): unknown {
  if (format && format in BY_FORMAT) return BY_FORMAT[format]
  if (nullable) return null
  if (type === 'boolean') return true
  if (type === 'object') return {}
  return type === 'string' ? 'text' : (minimum ?? 1)
}
