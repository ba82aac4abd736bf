import type { CDPSession, Page } from 'playwright-core'

/* Virtual authenticators of Chromium (CDP WebAuthn domain). */

interface Kind {
  transport?: 'internal' | 'usb'
  hasResidentKey?: boolean
  hasUserVerification?: boolean
  isUserVerified?: boolean
  /** Whether a touch is simulated immediately. Otherwise a page waits. */
  automaticPresenceSimulation?: boolean
}

interface VirtualAuthenticator {
  cdp: CDPSession
  authenticatorId: string
}

/** Adds an authenticator to the browser of a page, beside the existing ones. */
export async function addAuthenticator(page: Page, kind: Kind = {}): Promise<VirtualAuthenticator> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2' as const,
    transport: 'internal' as const,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
    ...kind,
  }
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
  return { cdp, authenticatorId }
}

/** Sets whether the authenticator is touched when it asks. */
export function touch({ cdp, authenticatorId }: VirtualAuthenticator, enabled: boolean) {
  return cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
}

/** Sets whether the person passes the check of the fingerprint or PIN. */
export function verify({ cdp, authenticatorId }: VirtualAuthenticator, isUserVerified: boolean) {
  return cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}

/** Deletes the passkeys on the device. The server is not told. */
export async function clear({ cdp, authenticatorId }: VirtualAuthenticator) {
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
}
