import db from '@adonisjs/lucid/services/db'
import User from '#models/user'
import { createKey } from '#auth/api_keys/create_key'
import { SYSTEM } from '#audit/actor'
import { insertUser } from '#users/insert_user'
import { hashPassword } from '#auth/passwords/password_hash'
import { PASSWORD, someAddress, someEmail } from './users.ts'
import type { Scope } from '#auth/api_keys/scopes'
import type { ApiClient } from '@japa/api-client'

export { PASSWORD, someAddress, someEmail }

interface UserOptions {
  email?: string
  username?: string
  role?: string
  password?: string | null
  /** True by default, as for a user who gets mails. */
  isVerified?: boolean
}

/** Saves a new user. */
export async function createUser(options: UserOptions = {}): Promise<User> {
  const { email = someEmail(), username = 'Ada', role, password = PASSWORD } = options
  const { isVerified = true } = options
  const hash = password === null ? null : await hashPassword(password)
  const given = { email, username, role, emailVerified: isVerified }
  const { id } = await db.transaction((trx) => insertUser(given, hash, trx))
  return User.findOrFail(id)
}

export function createAdmin(options: UserOptions = {}) {
  return createUser({ username: 'Grace', role: 'Admin', ...options })
}

interface Attempt {
  email: string
  password?: string
  /** The client's IP address; a new one for each request unless given. */
  address?: string
  deviceId?: string
  deviceToken?: string
  userAgent?: string
}

/** Sends one login over HTTP. */
export function login(client: ApiClient, attempt: Attempt) {
  const { email, password = PASSWORD, address = someAddress() } = attempt
  const request = client.post('/auth/login').header('x-forwarded-for', address)
  return request.headers(clientHeaders(attempt)).json({ email, password })
}

type Client = Pick<Attempt, 'deviceId' | 'deviceToken' | 'userAgent'>

/** Returns the headers in which a client describes itself. */
export function clientHeaders({ deviceId, deviceToken, userAgent }: Client) {
  return {
    ...(deviceId && { 'x-device-id': deviceId }),
    ...(deviceToken && { 'x-device-token': deviceToken }),
    ...(userAgent && { 'user-agent': userAgent }),
  }
}

/** Signs in from a device, and returns what the device sends at its next sign-in. */
export async function knownDevice(client: ApiClient, { email }: { email: string }) {
  const response = await login(client, { email, deviceId: 'laptop' })
  response.assertStatus(200)
  return { deviceId: 'laptop', deviceToken: response.header('x-device-token')! }
}

/** Starts a session of the user, and returns what its client stores. */
export async function signedIn(client: ApiClient, user: User, attempt: Partial<Attempt> = {}) {
  const response = await login(client, { email: user.email, ...attempt })
  response.assertStatus(200)
  const { accessToken, refreshToken } = response.body()
  const [sessionId] = decodeClaims(accessToken).jti.split('.')
  return { accessToken, refreshToken, sessionId, headers: bearer(accessToken) }
}

/** Creates an API key of the user, and returns what its client stores. */
export async function keyOf(user: { id: string }, scopes: Scope[] = ['profile:read']) {
  const { record, key } = await createKey(user.id, { name: 'Nightly report', scopes }, SYSTEM)
  return { id: record.id, key, headers: bearer(key) }
}

export function bearer(accessToken: string) {
  return { authorization: `Bearer ${accessToken}` }
}

/** Returns the unverified claims of a token. */
export function decodeClaims(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
}

/** Returns the unverified header of a token. */
export function decodeHeader(token: string) {
  return JSON.parse(Buffer.from(token.split('.')[0], 'base64url').toString())
}
