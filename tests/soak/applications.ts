import { setTimeout as wait } from 'node:timers/promises'
import { DEVICE_GRANT } from '#oidc/clients/client'
import { ADMIN, register } from '#tests/process/application'
import { signIn } from '#tests/process/backend'
import { signInToApplication } from '#tests/process/openid_traffic'
import type { Browser } from '#tests/support/oidc'
import type { Product } from '#tests/process/product'

export type Application = Awaited<ReturnType<typeof register>>

export type Applications = Awaited<ReturnType<typeof registerApplications>>

/** What an application holds of the sign-in of a user. */
export interface Grant {
  app: Application
  user: ApplicationUser
  sessionId: string
  accessToken: string
  refreshToken: string
  idToken: string
  /** Refresh tokens that were replaced, oldest first. */
  replaced: string[]
  /** Where one can log out; null on a device. */
  browser: Browser | null
}

/** With the operation that was acknowledged. */
export type EndedGrant = Grant & { endedBy: string }

export interface ApplicationUser {
  id: string
  email: string
  /** The access token of a session of the user's own. */
  token: string
  /** How often they signed in to an application, or tried to. */
  signIns: number
}

/** What was acknowledged to applications. */
export class ApplicationRecord {
  readonly violations: string[] = []
  /** Grants whose end was acknowledged. */
  readonly ended: EndedGrant[] = []
  /** Grants as they were when the revocation of their access token was acknowledged. */
  readonly revoked: EndedGrant[] = []
  /** Sessions of whose end the application has to be told. */
  readonly awaited: string[] = []
  /** How often each operation was served. */
  readonly served: Record<string, number> = {}
}

/** A confidential client, told of logouts; a public one; and one to which the administrator is signed in. */
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

/** On a busy machine a request may be refused with 503 though nothing is away. */
export async function registerApplications(product: Product, backchannelLogoutUri: string) {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    const applications = await registerAll(product, backchannelLogoutUri).catch(() => null)
    if (applications) return applications
    await wait(1_000)
  }
  return registerAll(product, backchannelLogoutUri)
}
