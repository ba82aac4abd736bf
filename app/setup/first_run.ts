import env from '#start/env'
import logger from '@adonisjs/core/services/logger'
import { isDependencyDown } from '#exceptions/dependency_failures'
import { SYSTEM } from '#audit/actor'
import { canonicalEmail } from '#models/email'
import User, { ADMIN_ROLE } from '#models/user'
import { NAMES_OWNER, namesOwner } from '#auth/passwords/new_password'
import { brokenRules } from '#auth/passwords/policy'
import { invalidEnvironment } from '#setup/environment/invalid_environment'
import { setPassword } from '#users/change_password'
import { createFirstAdmin, issueSetupToken } from '#users/first_admin'
import { hasAdmin } from '#users/has_admin'

export function assertAdminCredentials() {
  const email = env.get('ADMIN_EMAIL')
  const password = env.get('ADMIN_PASSWORD')
  if (!email && !password) return
  if (!email || !password) throw invalidEnvironment([missingHalf(email)])
  const messages = brokenRules(password).map(({ message }) => message)
  const owner = adminOf(canonicalEmail(email) ?? '')
  if (namesOwner(password, owner)) messages.push(NAMES_OWNER)
  const errors = messages.map((message) => `ADMIN_PASSWORD: ${message}`)
  if (!owner.email) errors.unshift('ADMIN_EMAIL must be a valid email address')
  if (errors.length === 0) return
  throw invalidEnvironment(errors)
}

function missingHalf(email?: string) {
  const [set, missing] = email
    ? ['ADMIN_EMAIL', 'ADMIN_PASSWORD']
    : ['ADMIN_PASSWORD', 'ADMIN_EMAIL']
  return `${missing} is required beside ${set}; without both, the start prints a setup link`
}

function adminOf(email: string) {
  return { email, username: email.split('@', 1)[0] }
}

export let setupToken: string | null = null

export async function ensureAdmin() {
  try {
    const isReady = (await hasAdmin()) || (await createAdminFromEnv())
    setupToken = isReady ? null : await issueSetupToken()
  } catch (error) {
    if (!isUnreachable(error)) throw error
    logger.error({ err: error }, 'the first administrator could not be looked up')
  }
}

/** An unreachable server comes back. A database that refuses writes does not, so the start ends. */
function isUnreachable(error: any) {
  return isDependencyDown(error) && !String(error.code).startsWith('SQLITE_')
}

/** An administrator who was restored from an unencrypted backup cannot sign in without this. */
async function createAdminFromEnv() {
  const email = canonicalEmail(env.get('ADMIN_EMAIL') ?? '')
  const password = env.get('ADMIN_PASSWORD')
  if (!email || !password) return false
  const restored = await User.findBy({ email, role: ADMIN_ROLE, kind: 'person' })
  if (restored) await setPassword(restored, password, { actor: SYSTEM })
  else await createFirstAdmin({ ...adminOf(email), password }, 'operator', SYSTEM)
  return true
}
