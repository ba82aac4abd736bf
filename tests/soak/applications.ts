import { setTimeout as wait } from 'node:timers/promises'
import { DEVICE_GRANT } from '#oidc/clients/client'
import { ADMIN, register } from '#tests/process/application'
import { signIn } from '#tests/process/backend'
import { signInToApplication } from '#tests/process/openid_traffic'
import type { Browser } from '#tests/support/oidc'
import type { Product } from '#tests/process/product'

export type Application = Awaited<ReturnType<typeof register>>

export type Applications = Awaited<ReturnType<typeof registerApplications>>

/** What an application stores after a user's sign-in. */
export interface Grant {
  app: Application
  user: ApplicationUser
  sessionId: string
  accessToken: string
  refreshToken: string
  idToken: string
  /** Refresh tokens that were replaced, oldest first. */
  replaced: string[]
  /** The browser in which one can log out; null on a device. */
  browser: Browser | null
}

/** A grant with the acknowledged operation that ended it. */
export type EndedGrant = Grant & { endedBy: string }

export interface ApplicationUser {
  id: string
  email: string
  /** The access token of the user's own session. */
  token: string
  /** The number of sign-ins to an application, and of attempts. */
  signIns: number
}

/** The outcomes that were acknowledged to applications. */
export class ApplicationRecord {
  readonly violations: string[] = []
  /** Grants whose end was acknowledged. */
  readonly ended: EndedGrant[] = []
  /** Grants as they were when the revocation of their access token was acknowledged. */
  readonly revoked: EndedGrant[] = []
  /** Sessions whose end must be reported to the application. */
  readonly awaited: string[] = []
  /** The number of times that each operation was served. */
  readonly served: Record<string, number> = {}
}

/** Registers a confidential client with logouts, a public one, and the administrator's client. */
async function registerAll(product: Product, backchannelLogoutUri: string) {
  const { token } = await signIn(product, ADMIN)
  const given = { grantTypes: ['authorization_code', 'refresh_token', DEVICE_GRANT] }
  return {
    confidential: await register(product, token, { ...given, backchannelLogoutUri }),
    public: await register(product, token, { ...given, tokenEndpointAuthMethod: 'none' }),
    access: await signInToApplication(product),
  }
}

const ATTEMPTS = 10

/** Tries again, because a busy machine may refuse a request with 503 without an outage. */
export async function registerApplications(product: Product, backchannelLogoutUri: string) {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    const applications = await registerAll(product, backchannelLogoutUri).catch(() => null)
    if (applications) return applications
    await wait(1_000)
  }
  return registerAll(product, backchannelLogoutUri)
}
